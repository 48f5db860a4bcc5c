import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../server/database/database.ts';
import { jobNamed } from '../../server/jobs.ts';
import { createIdempotency, recordResult } from '../../server/journal/idempotency.ts';
import { addMilliseconds } from '../../server/runtime/clock.ts';
import { openWorkshop, type Workshop } from '../support/site-builder.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
});

afterAll(() => workshop.close());

test('preview links are deleted once they have expired', async () => {
  const { services, caller } = workshop;
  const blog = await workshop.newBlog('previewed');
  const meta = { description: null, ogImage: null };
  const input = { title: 'A', content: 'x', tags: [], status: 'draft', meta } as const;
  const { slug } = await services.posts.create(caller, blog, input);
  await services.previews.create(blog, slug, 1);
  await services.previews.create(blog, slug, 3);
  const count = async () => (await services.db.selectFrom('previews').selectAll().execute()).length;
  await jobNamed('delete-expired-preview-links').run(services);
  expect(await count()).toBe(2);
  await jobNamed('delete-expired-preview-links').run({
    ...services,
    clock: { now: () => addMilliseconds(services.clock.now(), 2 * DAY_MS) },
  });
  expect(await count()).toBe(1);
});

test('held slugs are deleted once their hold has ended', async () => {
  const { services, caller } = workshop;
  const blog = await workshop.newBlog('short-lived');
  await services.removal.deleteBlog(caller, blog.id);
  const slugs = async () =>
    (await services.db.selectFrom('held_slugs').select('slug').execute()).map(({ slug }) => slug);
  const pruneAfter = (ms: number) =>
    jobNamed('release-held-slugs').run({
      ...services,
      clock: { now: () => addMilliseconds(services.clock.now(), ms) },
    });
  await pruneAfter(30 * DAY_MS - 60_000);
  expect(await slugs()).toEqual(['short-lived']);
  await pruneAfter(30 * DAY_MS);
  expect(await slugs()).toEqual([]);
});

test('idempotency records are deleted after a day', async () => {
  const { services, caller } = workshop;
  const request = { accountId: caller.accountId, credential: 'c', key: 'key', fingerprint: 'fingerprint' };
  const write = () =>
    inTransaction(services.db, async (tx) => {
      await recordResult(tx, { id: 1 });
      return { id: 1 };
    });
  await services.idempotency.run(request, (once) => once(write));
  const after = (ms: number) =>
    createIdempotency({ db: services.db, clock: { now: () => addMilliseconds(services.clock.now(), ms) } });
  const nearlyDayLater = after(DAY_MS - 1_000);
  await jobNamed('delete-old-idempotency-records').run({ ...services, idempotency: nearlyDayLater });
  const again = await nearlyDayLater.run(request, (once) => once(() => expect.fail('twice')));
  expect(again).toEqual({ result: { id: 1 }, wasDone: true });
  const dayLater = after(DAY_MS + 1_000);
  expect((await dayLater.run(request, (once) => once(write))).wasDone).toBe(false);
  await after(2 * DAY_MS + 2_000).prune();
  expect(await services.db.selectFrom('idempotency_records').selectAll().execute()).toEqual([]);
});
