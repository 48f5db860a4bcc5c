import { afterAll, beforeAll, expect, test } from 'vitest';
import { later } from '../../../server/clock.ts';
import { pruneAnswers } from '../../../server/jobs/prune-answers.ts';
import { prunePreviews } from '../../../server/jobs/prune-previews.ts';
import { pruneSlugs } from '../../../server/jobs/prune-slugs.ts';
import { createAnswers } from '../../../server/services/answers.ts';
import { openWorkshop, type Workshop } from '../../support/press.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
});

afterAll(() => workshop.close());

test('preview links are dropped when they have expired, and not before', async () => {
  const { services, caller } = workshop;
  const blog = await workshop.newBlog('previewed');
  const meta = { description: null, ogImage: null };
  const input = { title: 'A', content: 'x', tags: [], status: 'draft', meta } as const;
  const { slug } = await services.posts.create(caller, blog, input);
  await services.previews.create(blog, slug, 1);
  await services.previews.create(blog, slug, 3);
  const count = async () => (await services.db.selectFrom('previews').selectAll().execute()).length;
  await prunePreviews(services);
  expect(await count()).toBe(2);
  await prunePreviews({ ...services, clock: { now: () => later(services.clock.now(), 2 * DAY_MS) } });
  expect(await count()).toBe(1);
});

test('slugs of deleted blogs are forgotten when they have rested, and not before', async () => {
  const { services, caller } = workshop;
  const blog = await workshop.newBlog('short-lived');
  await services.removal.deleteBlog(caller, blog.id);
  const slugs = async () =>
    (await services.db.selectFrom('resting_slugs').select('slug').execute()).map(({ slug }) => slug);
  const pruneAfter = (ms: number) =>
    pruneSlugs({ ...services, clock: { now: () => later(services.clock.now(), ms) } });
  await pruneAfter(30 * DAY_MS - 60_000);
  expect(await slugs()).toEqual(['short-lived']);
  await pruneAfter(30 * DAY_MS);
  expect(await slugs()).toEqual([]);
});

test('answers under idempotency keys are dropped after a day, and not before', async () => {
  const { services, caller } = workshop;
  await services.answers.find(caller.accountId, 'key', 'fingerprint');
  await services.answers.keep(caller.accountId, 'key', { status: 201, headers: {}, body: { id: 1 } });
  await pruneAnswers(services);
  const kept = await services.answers.find(caller.accountId, 'key', 'fingerprint');
  expect(kept).toEqual({ status: 201, headers: {}, body: { id: 1 } });
  const dayLater = { now: () => later(services.clock.now(), DAY_MS + 1_000) };
  await pruneAnswers({ ...services, answers: createAnswers({ db: services.db, clock: dayLater }) });
  expect(await services.db.selectFrom('answers').selectAll().execute()).toEqual([]);
});
