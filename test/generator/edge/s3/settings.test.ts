import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createRequire } from 'node:module';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { prepareBucket } from '../../../../generator/edge/s3/bucket.ts';
import { openS3Edge } from '../../../../generator/edge/s3/s3.ts';
import { closeServer, listen } from '../../../../server/http/server.ts';
import { certificates } from '../../../support/certificates.ts';

/** Responses of Amazon S3 to wrong settings, which the S3 server of the tests never gives. The client is real. */

const MINUTE_MS = 60_000;

let server: Server | undefined;

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  if (server) await closeServer(server);
  server = undefined;
});

const placeAt = (endpoint: string) => ({ bucket: 'ink', endpoint, forcePathStyle: true, region: null });
const timeouts = { connection: 30_000, request: 30_000, total: 100_000 };
const prepare = (endpoint: string) =>
  prepareBucket(placeAt(endpoint), { installation: 'ours', mustBePrivate: true, timeouts });

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Content of the `<Error>` element; undefined if the response has no body. */
  readonly error?: Readonly<Record<string, string>>;
}

function send(res: ServerResponse, { status, headers = {}, error }: Answer): void {
  const elements = Object.entries(error ?? {}).map(([name, text]) => `<${name}>${text}</${name}>`);
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${elements.join('')}<RequestId>1</RequestId></Error>`;
  res.writeHead(status, { 'Content-Type': 'application/xml', ...headers }).end(error ? body : '');
}

/** Message of a start on an endpoint that gives every request this response. */
async function refusing(answer: Answer): Promise<string> {
  server = createServer((req, res) => void req.resume().on('end', () => send(res, answer)));
  return `http://127.0.0.1:${await listen(server, 0)}`;
}

/** An endpoint with an empty bucket that we own, on a server whose clock is ahead by so many milliseconds. */
async function accepting(options: { ahead?: number; cert?: string } = {}): Promise<string> {
  const { ahead = 0, cert } = options;
  const objects = new Map<string, Buffer>();
  const make =
    cert === undefined ? createServer : createTlsServer.bind(null, { cert, key: certificates.key });
  server = make(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const now = Date.now() + ahead;
    const headers = { Date: new Date(now).toUTCString() };
    const { pathname, search } = new URL(req.url ?? '', 'http://s3');
    if (Math.abs(timeOf(String(req.headers['x-amz-date'])) - now) > 15 * MINUTE_MS) {
      const Message = 'The difference between the request time and the current time is too large.';
      send(res, { status: 403, headers, error: { Code: 'RequestTimeTooSkewed', Message } });
    } else if (req.method === 'PUT') {
      objects.set(pathname, Buffer.concat(chunks));
      res.writeHead(200, headers).end();
    } else if (pathname === '/ink/' || pathname === '/ink') {
      const answered = search.includes('list-type') ? '<ListBucketResult/>' : '<AccessControlPolicy/>';
      res.writeHead(200, headers).end(answered);
    } else if (objects.has(pathname) || req.method !== 'GET') {
      res.writeHead(200, headers).end(objects.get(pathname));
    } else {
      send(res, { status: 404, headers, error: { Code: 'NoSuchKey' } });
    }
  });
  return `${cert === undefined ? 'http' : 'https'}://127.0.0.1:${await listen(server, 0)}`;
}

/**
 * Message of the same start in a process that trusts our certificate authority, which Node reads at its start only.
 */
async function prepareElsewhere(endpoint: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-tls-'));
  const NODE_EXTRA_CA_CERTS = join(folder, 'authority.pem');
  writeFileSync(NODE_EXTRA_CA_CERTS, certificates.authority);
  const module = createRequire(import.meta.url).resolve('#dist/generator/edge/s3/bucket.js');
  const options = [placeAt(endpoint), { installation: 'ours', isPrivate: true, patience: timeouts }];
  const script = `
    const { prepareBucket } = await import(${JSON.stringify(pathToFileURL(module))});
    const said = await prepareBucket(...${JSON.stringify(options)}).catch((error) => error.message);
    console.log(typeof said === 'string' ? said : JSON.stringify(said));`;
  try {
    const env = { ...process.env, NODE_EXTRA_CA_CERTS };
    const args = ['--input-type=module', '-e', script];
    return (await promisify(execFile)(process.execPath, args, { env })).stdout.trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Resolves every host name to this machine. */
function leadHere(): void {
  vi.spyOn(Agent.prototype, 'createConnection').mockImplementation(({ port }) =>
    createConnection({ host: '127.0.0.1', port: Number(port) }),
  );
}

/** Format: 20261121T153000Z */
const timeOf = (stamp: string): number =>
  Date.parse(stamp.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));

describe('a bucket in another region', () => {
  const redirected = {
    Message: 'The bucket you are attempting to access must be addressed using the specified endpoint.',
    Endpoint: 'ink.s3-eu-west-1.amazonaws.com',
    Bucket: 'ink',
  };
  const headers = { 'x-amz-bucket-region': 'eu-west-1' };
  const malformed = { Code: 'AuthorizationHeaderMalformed' };
  const answers: [string, Answer, string][] = [
    [
      'PermanentRedirect',
      { status: 301, headers, error: { Code: 'PermanentRedirect', ...redirected } },
      'set AWS_REGION, or S3_ENDPOINT, to where it is, eu-west-1 (PermanentRedirect)',
    ],
    ['301', { status: 301, headers }, 'set AWS_REGION, or S3_ENDPOINT, to where it is, eu-west-1 (301)'],
    [
      'TemporaryRedirect',
      {
        status: 307,
        headers: { ...headers, Location: 'https://ink.s3.eu-west-1.amazonaws.com/' },
        error: { ...redirected, Code: 'TemporaryRedirect' },
      },
      'set AWS_REGION, or S3_ENDPOINT, to where it is, eu-west-1 (TemporaryRedirect)',
    ],
    [
      'AuthorizationHeaderMalformed',
      {
        status: 400,
        error: {
          ...malformed,
          Message:
            "The authorization header is malformed; the region 'us-east-1' is wrong; expecting 'eu-west-1'",
          Region: 'eu-west-1',
        },
      },
      'set AWS_REGION to where it is, eu-west-1 (AuthorizationHeaderMalformed)',
    ],
    [
      'IllegalLocationConstraintException',
      {
        status: 400,
        error: {
          Code: 'IllegalLocationConstraintException',
          Message: 'The location constraint is incompatible.',
        },
      },
      'set AWS_REGION to where it is (IllegalLocationConstraintException)',
    ],
  ];

  it.each(answers)(
    'a region error is recognised by %s, and names the region',
    async (_code, answer, advice) => {
      await expect(prepare(await refusing(answer))).rejects.toThrow(
        `bucket ink: listing it: the bucket is in another region: ${advice}`,
      );
    },
  );

  it('a region error is not reported if the header is malformed otherwise', async () => {
    const Message = 'The authorization header is malformed; a non-empty Access Key (AKID) must be provided.';
    await expect(prepare(await refusing({ status: 400, error: { ...malformed, Message } }))).rejects.toThrow(
      `bucket ink: listing it: ${Message} (AuthorizationHeaderMalformed)`,
    );
  });

  it('the region is required for Amazon’s own S3', async () => {
    for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_CONFIG_FILE', '/dev/null');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/dev/null');
    const place = { ...placeAt(''), endpoint: null, forcePathStyle: false };
    await expect(prepareBucket(place, { installation: 'ours', mustBePrivate: true })).rejects.toThrow(
      'bucket ink: listing it: the region is unknown: set AWS_REGION to where the bucket is (RegionMissing)',
    );
  });
});

describe('a wrong clock', () => {
  it('a wrong clock is corrected for requests and logged', async () => {
    const warning =
      "bucket ink: this machine's clock differs from S3's by 20 minutes: synchronize it with NTP";
    expect(await prepare(await accepting({ ahead: 20 * MINUTE_MS }))).toEqual([warning]);
  });

  it('a wrong clock is logged before it makes requests fail', async () => {
    expect(await prepare(await accepting({ ahead: -6 * MINUTE_MS }))).toEqual([
      expect.stringContaining('by 6 minutes'),
    ]);
  });

  it('a clock that is off by a minute is not reported', async () => {
    expect(await prepare(await accepting({ ahead: MINUTE_MS }))).toEqual([]);
  });

  it('a start fails if S3 sends no time', async () => {
    const error = { Code: 'RequestTimeTooSkewed', Message: 'The difference is too large.' };
    await expect(prepare(await refusing({ status: 403, error }))).rejects.toThrow(
      "bucket ink: listing it: this machine's clock differs from S3's: synchronize it with NTP (RequestTimeTooSkewed)",
    );
  });
});

describe('an S3 endpoint', () => {
  const { selfSigned, valid, expired, ofAnotherHost } = certificates;

  it.each([
    [
      'with a self-signed certificate',
      selfSigned,
      /is not trusted: set NODE_EXTRA_CA_CERTS.*SELF_SIGNED_CERT/,
    ],
    [
      'with an unknown certificate authority',
      valid,
      /is not trusted: set NODE_EXTRA_CA_CERTS.*LEAF_SIGNATURE/,
    ],
    ['with an expired certificate', expired, /certificate of S3_ENDPOINT has expired \(CERT_HAS_EXPIRED\)/],
  ])('the endpoint %s is refused', async (_what, cert, message) => {
    await expect(prepare(await accepting({ cert }))).rejects.toThrow(message);
  });

  it('an endpoint is trusted if the operator has named its certificate authority', async () => {
    expect(await prepareElsewhere(await accepting({ cert: valid }))).toBe('[]');
  });

  it('an endpoint with a certificate for another host is refused', async () => {
    expect(await prepareElsewhere(await accepting({ cert: ofAnotherHost }))).toMatch(
      /the TLS certificate is for another host: check S3_ENDPOINT \(ERR_TLS_CERT_ALTNAME_INVALID\)/,
    );
  });

  it.each(['http://s3.example.org', 'http://[2001:db8::1]', 'http://203.0.113.7'])(
    'a public endpoint without TLS is reported: %s',
    async (origin) => {
      const { port } = new URL(await accepting());
      leadHere();
      expect(await prepare(`${origin}:${port}`)).toEqual([
        `S3_ENDPOINT is ${origin}:${port}: files are published without TLS, and anyone on the network path can ` +
          'read and change them; use https://',
      ]);
    },
  );

  it.each(['http://s3', 'http://minio.internal', 'http://[fd00::1]', 'http://192.168.1.9'])(
    'an endpoint in a private network may lack TLS: %s',
    async (origin) => {
      const { port } = new URL(await accepting());
      leadHere();
      expect(await prepare(`${origin}:${port}`)).toEqual([]);
    },
  );
});

describe('settings that become wrong while the server runs', () => {
  it('a write that fails names the setting that became wrong', async () => {
    const error = { Code: 'ExpiredToken', Message: 'The provided token has expired.' };
    const endpoint = await refusing({ status: 400, error });
    const edge = openS3Edge({ ...placeAt(endpoint), hasInvalidation: false, timeouts });
    await expect(edge.write('sites/ink/index.html', Buffer.from('x'))).rejects.toThrow(
      'bucket ink: writing sites/ink/index.html: the credentials have expired: get new ones, and set AWS_SESSION_TOKEN to their token (ExpiredToken)',
    );
  });
});
