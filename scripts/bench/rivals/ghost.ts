import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { wireRequest } from '../load/generate-load.ts';
import type { BenchPost } from '../seed/bench-post.ts';
import type { Scratch } from '../support/scratch.ts';
import { freePort } from '../support/server.ts';

/** A running, freshly set up Ghost 5 on SQLite. */
export interface Ghost {
  readonly version: string;
  readonly port: number;
  /** Wire text of the Admin API request that publishes a post as the owner. */
  requestFor(post: BenchPost): string;
  stop(): void;
}

const START_MS = 120_000;
const owner = { name: 'Bench', email: 'bench@example.org', password: 'a long enough secret 42' };

export async function startGhost(scratch: Scratch, folder: string): Promise<Ghost> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const data = scratch.folder('ghost');
  const child = scratch.startProgram(process.execPath, [join(folder, 'index.js')], folder, {
    NODE_ENV: 'production',
    url,
    server__port: String(port),
    database__client: 'sqlite3',
    database__connection__filename: join(data, 'ghost.db'),
    database__useNullAsDefault: 'true',
    mail__transport: 'Direct',
    security__staffDeviceVerification: 'false',
    logging__transports: '["file"]',
    logging__path: data,
    privacy__useUpdateCheck: 'false',
  });
  await untilReady(url);
  const cookie = await signIn(url);
  const headers = {
    Host: `localhost:${port}`,
    Origin: url,
    Cookie: cookie,
    'Content-Type': 'application/json',
  };
  return {
    version: versionOf(folder),
    port,
    requestFor: (post) =>
      wireRequest('POST', '/ghost/api/admin/posts/', headers, JSON.stringify({ posts: [ghostPost(post)] })),
    stop: () => child.kill(),
  };
}

/** The post as a Markdown card, which Ghost renders at the write, as Platen does. */
const ghostPost = ({ title, content, tags }: BenchPost) => ({
  title,
  tags: tags.map((name) => ({ name })),
  status: 'published',
  lexical: JSON.stringify({
    root: { type: 'root', version: 1, children: [{ type: 'markdown', version: 1, markdown: content }] },
  }),
});

async function untilReady(url: string): Promise<void> {
  const end = performance.now() + START_MS;
  while (performance.now() < end) {
    const answer = await fetch(`${url}/ghost/api/admin/site/`).catch(() => null);
    if (answer?.ok) return;
    await sleep(250);
  }
  throw new Error('Ghost does not answer');
}

/** Sets up the owner of a new Ghost; resolves to the session cookie. */
async function signIn(url: string): Promise<string> {
  const post = (path: string, body: object) =>
    fetch(`${url}/ghost/api/admin/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: url },
      body: JSON.stringify(body),
    });
  const setUp = await post('authentication/setup/', { setup: [{ ...owner, blogTitle: 'Bench' }] });
  if (!setUp.ok) throw new Error(`Ghost was not set up: ${await setUp.text()}`);
  const session = await post('session/', { username: owner.email, password: owner.password });
  if (!session.ok) throw new Error(`Ghost rejected the sign-in: ${await session.text()}`);
  return session.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

function versionOf(folder: string): string {
  const packageJson: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return z.object({ version: z.string() }).parse(packageJson).version;
}
