import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../server/config.ts';
import { type Platen, startPlaten } from '../server/platen.ts';
import { publishFolder } from './publish/publish.ts';
import { describeSummary, progressDisplay } from './publish/report.ts';

/**
 * Shows what Platen does: starts one on a folder that goes away with it, publishes the demo's posts through its API,
 * and serves them until it is interrupted.
 */
const folder = fileURLToPath(new URL('../../scripts/demo/posts', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'platen-demo-'));

try {
  const platen = await startPlaten(
    readConfig({ LOG_LEVEL: 'warn', ...process.env, PLATEN_DATA_DIR: dataDir }),
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(platen));
  const blogUrl = await publishDemo(platen);
  console.log(`\nOpen ${blogUrl}\nCtrl-C ends the demo and removes its data.`);
} catch (error) {
  console.error(`demo: ${error instanceof Error ? error.message : error}`);
  rmSync(dataDir, { recursive: true });
  process.exit(1);
}

async function publishDemo({ services, port, newKey }: Platen): Promise<string> {
  const api = `http://localhost:${port}`;
  const key = newKey ?? services.config.apiKey ?? '';
  const blog = await createBlog(api, key);
  const { onProgress, stop } = progressDisplay(process.stderr);
  // One after the other, so that the posts appear in the order of their file names.
  const work = publishFolder({ folder, api, key, blogId: blog.id, concurrency: 1, onProgress });
  console.log(describeSummary(await work.finally(stop)));
  return blog.url;
}

async function createBlog(api: string, key: string): Promise<{ id: string; url: string }> {
  const response = await fetch(`${api}/v1/blogs`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      slug: 'demo',
      name: 'The Platen Demo',
      description: 'A blog about the press that it was printed on.',
    }),
  });
  const blog: unknown = await response.json();
  if (typeof blog === 'object' && blog && 'id' in blog && 'url' in blog) {
    return { id: String(blog.id), url: String(blog.url) };
  }
  throw new Error(`the demo's blog was not created: ${JSON.stringify(blog)}`);
}

async function leave(platen: Platen): Promise<void> {
  await platen.stop();
  rmSync(dataDir, { recursive: true });
}
