import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** Timeout for a write to become live. */
export const TIMEOUT_MS = 300_000;

const written = z.object({ slug: z.string().default(''), rebuild_id: z.string() });
const post = z.object({ og_image_url: z.string().nullable() });
const receipt = z.object({
  status: z.string(),
  files_written: z.number(),
  files_removed: z.number(),
  duration_ms: z.number().nullable(),
  steps: z.object({ plan: z.number(), render: z.number(), apply: z.number() }).partial(),
});
export type Receipt = z.infer<typeof receipt>;

/** Response to a write: the post's slug, if any, and the rebuild. */
export type WriteResponse = z.infer<typeof written>;

/** API and reader client for one blog. Every method but `ask` rejects if the response is not a success. */
export interface Client {
  create(body: object): Promise<WriteResponse>;
  change(slug: string, body: object): Promise<WriteResponse>;
  remove(slug: string): Promise<WriteResponse>;
  /** Gives the blog a name that it never had, which rebuilds every page. */
  rename(): Promise<WriteResponse>;
  receipt(rebuildId: string): Promise<Receipt>;
  /** Resolves to the receipt of a rebuild once it is live; polls every `every` milliseconds (default: 10). */
  untilLive(rebuildId: string, every?: number): Promise<Receipt>;
  /** Resolves when the post's card is on the edge. */
  untilCardDrawn(slug: string): Promise<void>;
  /** Requests a page of the blog as a reader does. */
  read(path: string): Promise<string>;
  /** The same with the status, which may be an error. */
  requestPage(path: string): Promise<{ readonly status: number; readonly text: string }>;
}

export interface ClientOptions {
  readonly origin: string;
  readonly key: string;
  readonly blog: { readonly id: string; readonly slug: string };
}

export function createClient({ origin, key, blog }: ClientOptions): Client {
  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${origin}/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        'X-Blog-Id': blog.id,
        'Content-Type': 'application/json',
        Prefer: 'handling=strict',
      },
      body: body ? JSON.stringify(body) : null,
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
  const receiptOf = async (rebuildId: string) => receipt.parse(await call('GET', `/rebuilds/${rebuildId}`));
  const ask = (path: string) => askPage(origin, blog.slug, path);

  return {
    create: async (body) => written.parse(await call('POST', '/posts', body)),
    change: async (slug, body) => written.parse(await call('PUT', `/posts/${slug}`, body)),
    remove: async (slug) => written.parse(await call('DELETE', `/posts/${slug}`)),
    rename: async () => written.parse(await call('PUT', `/blogs/${blog.id}`, { name: randomUUID() })),
    receipt: receiptOf,
    untilLive: (rebuildId, every) =>
      until(async () => {
        const found = await receiptOf(rebuildId);
        if (found.status === 'failed') throw new Error(`rebuild ${rebuildId} failed`);
        return found.status === 'live' ? found : null;
      }, every),
    async untilCardDrawn(slug) {
      await until(async () => post.parse(await call('GET', `/posts/${slug}`)).og_image_url);
    },
    requestPage: ask,
    async read(path) {
      const { status, text } = await ask(path);
      if (status !== 200) throw new Error(`${path} of ${blog.slug}: ${status}`);
      return text;
    },
  };
}

async function until<T>(poll: () => Promise<T | null>, every = 10): Promise<T> {
  const end = performance.now() + TIMEOUT_MS;
  while (performance.now() < end) {
    const found = await poll();
    if (found !== null) return found;
    await sleep(every);
  }
  throw new Error(`nothing came in ${TIMEOUT_MS / 1000} s`);
}

/** Uses `node:http`, because `fetch` does not allow a `Host` header. */
function askPage(origin: string, blogSlug: string, path: string): Promise<{ status: number; text: string }> {
  const { port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const headers = { host: `${blogSlug}.localhost:${port}` };
    const req = request({ port, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', reject)
        .on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        );
    });
    req.on('error', reject).end();
  });
}
