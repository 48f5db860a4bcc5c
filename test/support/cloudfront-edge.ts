import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { cacheControlOf } from '../../generator/edge/cache-control.ts';
import { withCloudFront } from '../../generator/edge/cloudfront/with-cloudfront.ts';
import { contentTypeOf } from '../../generator/edge/content-type.ts';
import type { ReadableEdge } from '../../generator/edge/edge.ts';
import { redirectTargetOf } from '../../generator/edge/redirect.ts';
import { closeServer, listen } from '../../server/http/server.ts';

const folder = fileURLToPath(new URL('../../generator/edge/cloudfront/', import.meta.url));

/** Source of the function after the stack has inserted the blog host. */
export const functionSource = (blogHost: string): string =>
  readFileSync(join(folder, 'function.js'), 'utf8').replace(/\$\{BlogHost\}/, blogHost);

interface Value {
  value: string;
  multiValue?: { value: string }[];
}
export interface FunctionRequest {
  method: string;
  uri: string;
  querystring: Record<string, Value>;
  headers: Record<string, Value>;
}
export interface FunctionResponse {
  statusCode: number;
  statusDescription?: string;
  headers: Record<string, Value>;
  body?: string;
}
export interface FunctionEvent {
  context: { eventType: 'viewer-request' | 'viewer-response' };
  request: FunctionRequest;
  response?: FunctionResponse;
}
type Handler = (event: FunctionEvent) => Promise<FunctionRequest | FunctionResponse>;

/** Loads the function into a context that has only the language and the module `cloudfront`. */
export function loadFunction(
  source: string,
  keyValues: ReadonlyMap<string, string>,
  onRead = () => {},
): Handler {
  const kvs = () => ({
    async get(key: string): Promise<string> {
      onRead();
      const value = keyValues.get(key);
      if (value === undefined) throw new Error('KeyNotFound');
      return value;
    },
  });
  const room = createContext({ cf: { kvs } }, { codeGeneration: { strings: false, wasm: false } });
  const script = source.replace("import cf from 'cloudfront';", '');
  return runInContext(`${script}\nhandler;`, room);
}

type NotFound = (event: {
  rawPath: string;
}) => Promise<{ statusCode: number; headers: object; body: string }>;

/** Loads the handler for missing objects, with a bucket to read from. */
function loadNotFound(read: (key: string) => string | null): NotFound {
  class GetObjectCommand {
    readonly key: string;
    constructor({ Key }: { Key: string }) {
      this.key = Key;
    }
  }
  class S3Client {
    async send({ key }: GetObjectCommand) {
      const text = read(key);
      if (text === null) throw Object.assign(new Error('no such key'), { name: 'NoSuchKey' });
      return { Body: { transformToString: async () => text } };
    }
  }
  const exports: { handler?: NotFound } = {};
  const room = createContext({
    exports,
    require: () => ({ S3Client, GetObjectCommand }),
    process: { env: { BUCKET: 'b' } },
  });
  runInContext(readFileSync(join(folder, 'not-found.js'), 'utf8'), room);
  if (!exports.handler) throw new Error('not-found.js has no handler');
  return exports.handler;
}

/** A CloudFront of a test's own: its function, a bucket in a folder, and the handler for missing objects. */
export interface CloudFrontEdge {
  readonly port: number;
  /** The bucket as a builder sees it. */
  readonly edge: ReadableEdge;
  readonly keyValues: Map<string, string>;
  /** Cache keys of the requests to the bucket. */
  readonly cacheKeys: string[];
  put(path: string, content: string | Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export interface CloudFrontEdgeOptions {
  readonly blogHost?: string;
  readonly defaultHeaders: string;
  /** Whether the response function gets the reader's original request or the rewritten one. */
  readonly toldAsSent?: boolean;
}

/** CloudFront compresses responses from this size. */
export async function startCloudFrontEdge(options: CloudFrontEdgeOptions): Promise<CloudFrontEdge> {
  const { blogHost = 'localhost', defaultHeaders, toldAsSent = true } = options;
  const dir = mkdtempSync(join(tmpdir(), 'platen-cloudfront-'));
  const keyValues = new Map<string, string>();
  const cacheKeys: string[] = [];
  const handler = loadFunction(functionSource(blogHost), keyValues);
  const notFound = loadNotFound((key) =>
    isFile(join(dir, key)) ? readFileSync(join(dir, key), 'utf8') : null,
  );

  const bucket: ReadableEdge = {
    concurrency: 8,
    read: async (path) => readFileSync(join(dir, path)),
    async write(path, bytes) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, 'unfinished'), bytes);
      renameSync(join(dir, 'unfinished'), join(dir, path));
    },
    async remove(paths) {
      for (const path of paths) rmSync(join(dir, path), { force: true });
    },
    invalidate: async () => 0,
    async *list() {},
  };
  const edge = withCloudFront(bucket, {
    blogHost,
    defaultHeaders,
    invalidations: { send: async (paths) => paths.length },
    keyValues: {
      get: async (key) => keyValues.get(key) ?? null,
      async change(changes) {
        for (const [key, value] of changes)
          value === null ? keyValues.delete(key) : keyValues.set(key, value);
      },
    },
  });

  async function fromOrigin(uri: string): Promise<FunctionResponse> {
    cacheKeys.push(uri);
    const key = decodeURIComponent(uri.slice(1));
    const file = join(dir, key);
    if (!isFile(file)) {
      const { statusCode, headers, body } = await notFound({ rawPath: uri });
      return { statusCode, headers: valuesOf(headers), body };
    }
    const bytes = readFileSync(file);
    const moved = redirectTargetOf(bytes);
    const headers = {
      'content-type': contentTypeOf(key),
      'cache-control': cacheControlOf(key, { invalidated: true }),
      ...(moved !== null && { 'x-amz-meta-location': moved }),
    };
    return { statusCode: 200, headers: valuesOf(headers), body: bytes.toString('latin1') };
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const request = requestOf(req);
    const sent = structuredClone(request);
    const made = await handler({ context: { eventType: 'viewer-request' }, request });
    if ('statusCode' in made) return write(req, res, made, 'utf8');
    const response = await fromOrigin(made.uri);
    // CloudFront runs no function for errors.
    if (response.statusCode >= 400) return write(req, res, response, 'utf8');
    const { body, ...head } = response;
    const event: FunctionEvent = {
      context: { eventType: 'viewer-response' },
      request: toldAsSent ? sent : made,
      response: head,
    };
    const finished = await handler(event);
    if (!('statusCode' in finished)) throw new Error('an answer became a request');
    write(req, res, { ...finished, ...(body !== undefined && { body }) }, 'latin1');
  }

  const server = createServer((req, res) => {
    serve(req, res).catch((error: unknown) => res.writeHead(503).end(String(error)));
  });
  const port = await listen(server, 0);
  return {
    port,
    edge,
    keyValues,
    cacheKeys,
    put: (path, content) => edge.write(path, Buffer.from(content)),
    async close() {
      await closeServer(server);
      rmSync(dir, { recursive: true });
    },
  };
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

const valuesOf = (headers: object): Record<string, Value> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value: String(value) }]));

function requestOf({ method = 'GET', url = '/', headers }: IncomingMessage): FunctionRequest {
  const [uri = '/', query = ''] = url.split(/\?(.*)/s);
  const querystring: Record<string, Value> = {};
  for (const part of query.split('&').filter(Boolean)) {
    const [name = '', value = ''] = part.split(/=(.*)/s);
    const known = querystring[name];
    const before = known?.multiValue ?? (known ? [{ value: known.value }] : []);
    querystring[name] = known ? { value: known.value, multiValue: [...before, { value }] } : { value };
  }
  return { method, uri, querystring, headers: valuesOf(headers) };
}

function write(
  req: IncomingMessage,
  res: ServerResponse,
  answer: FunctionResponse,
  encoding: 'utf8' | 'latin1',
) {
  const headers = Object.entries(answer.headers).map(([name, { value }]) => [name, value]);
  res.writeHead(answer.statusCode, Object.fromEntries(headers));
  res.end(req.method === 'HEAD' ? undefined : Buffer.from(answer.body ?? '', encoding));
}
