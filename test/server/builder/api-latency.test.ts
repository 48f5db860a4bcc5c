import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enqueueChange, findReceipt } from '../../../server/rebuilds/store.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

// Slow: builds a large blog several times while it measures the response times of the API.

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

const POSTS = 300;
const content = Array.from(
  { length: 8 },
  (_, n) => `## Part ${n}\n\n${'Some *words* of text. '.repeat(8)}`,
).join('\n\n');

/** Gives the starter blog posts of some length, and resolves to the blog's id once the edge has them. */
async function fill(): Promise<string> {
  const { services } = platen;
  const [blog] = (await platen.call('GET', '/blogs')).json.data;
  const rebuildIds = new Set<string>();
  for (let n = 0; n < POSTS; n += 10) {
    const batch = Array.from({ length: 10 }, (_, index) =>
      platen.call('POST', '/posts', {
        title: `Post ${n + index}`,
        content,
        tags: ['rust'],
        status: 'published',
        // An image instead of a card: drawing cards in other threads would dominate the measurement.
        meta: { og_image: 'https://example.org/a.png' },
      }),
    );
    for (const { json } of await Promise.all(batch)) rebuildIds.add(json.rebuild_id);
  }
  for (const id of rebuildIds) expect(await services.rebuilds.waitUntilLive(id, null, 60_000)).toBe(true);
  return blog.id;
}

/** Rebuilds the whole blog. Resolves to the duration until it is live, in milliseconds. */
async function rebuildAll(blogId: string): Promise<number> {
  const { db, clock, rebuilds } = platen.services;
  await db
    .updateTable('posts')
    .set({ title: `Anew at ${clock.now()}` })
    .where('blog_id', '=', blogId)
    .execute();
  const id = await enqueueChange(db, blogId, { scope: 'blog' }, clock.now());
  expect(await rebuilds.waitUntilLive(id, null, 60_000)).toBe(true);
  const receipt = await findReceipt(db, id);
  expect(receipt?.filesWritten).toBeGreaterThan(POSTS);
  return Object.values(receipt?.steps ?? {}).reduce((sum, step) => sum + step);
}

/** Response times of consecutive requests while some work runs. */
async function waitsWhile(work: () => Promise<unknown>): Promise<number[]> {
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  const waits: number[] = [];
  while (!isDone) {
    const asked = performance.now();
    expect((await fetch(`${platen.origin}/healthz`)).status).toBe(200);
    waits.push(performance.now() - asked);
  }
  await done;
  return waits;
}

/** The 90th percentile. */
const nineInTen = (waits: readonly number[]): number =>
  [...waits].sort((a, b) => a - b)[Math.floor(waits.length * 0.9)] ?? 0;

it('the API responds at once while a large blog is built, and its own thread does almost no work for it', async () => {
  const blogId = await fill();
  const idle = performance.eventLoopUtilization();
  const building = await rebuildAll(blogId);
  const { active } = performance.eventLoopUtilization(idle);
  expect(active).toBeLessThan(building / 2);

  const usual = await waitsWhile(() => sleep(500));
  const waits = await waitsWhile(() => rebuildAll(blogId));
  expect(waits.length).toBeGreaterThan(10);
  // On a busy machine no request is answered at once.
  expect(nineInTen(waits)).toBeLessThan(Math.max(100, 5 * nineInTen(usual)));
});

it('fifty posts that arrive at once go live in far fewer rebuilds', async () => {
  const { status, json: blog } = await platen.call('POST', '/blogs', { slug: 'crowd', name: 'Crowd' });
  expect(status).toBe(201);
  const created = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      platen.call(
        'POST',
        '/posts',
        {
          title: `Crowd ${n}`,
          content: 'x',
          status: 'published',
          meta: { og_image: 'https://example.org/a.png' },
        },
        { headers: { 'X-Blog-Id': blog.id, Prefer: 'wait=60' } },
      ),
    ),
  );
  expect(created.map(({ status }) => status)).toEqual(Array(50).fill(201));
  expect(created.map(({ headers }) => headers.get('preference-applied'))).toEqual(Array(50).fill('wait=60'));
  expect(new Set(created.map(({ json }) => json.rebuild_id)).size).toBeLessThan(25);
  const pages = await Promise.all(
    created.map(({ json }) => platen.read('crowd', new URL(json.url).pathname)),
  );
  expect(pages.map(({ status }) => status)).toEqual(Array(50).fill(200));
});
