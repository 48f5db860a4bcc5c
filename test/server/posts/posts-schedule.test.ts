// Slow: starts a server, and waits for the scheduled times of posts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServices } from '../../../server/compose.ts';
import { addMilliseconds } from '../../../server/runtime/clock.ts';
import { newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { openWorkshop } from '../../support/site-builder.ts';

const HOUR = 3_600_000;

let platen: TestPlaten;

beforeAll(async () => {
  platen = await startTestPlaten();
});

afterAll(() => platen.close());

const soon = (milliseconds: number) => addMilliseconds(new Date().toISOString(), milliseconds);
const create = async (body: object) =>
  (await platen.call('POST', '/posts', { content: 'Text.', ...body }, { headers: { Prefer: 'wait=60' } }))
    .json;
const schedule = (slug: string, scheduled_at: unknown) =>
  platen.call('POST', `/posts/${slug}/schedule`, { scheduled_at }, { headers: { Prefer: 'wait=60' } });

test('a scheduled post goes live once, within two seconds of its time', async () => {
  await create({ title: 'In time' });
  const inAnHour = soon(HOUR);
  const answer = await schedule('in-time', inAnHour);
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({ slug: 'in-time', status: 'scheduled', scheduled_at: inAnHour });
  expect((await platen.read('starter', '/in-time/')).status).toBe(404);

  const at = soon(1_200);
  await platen.services.db
    .updateTable('posts')
    .set({ scheduled_at: at })
    .where('slug', '=', 'in-time')
    .execute();
  // The polls start after the scheduled time, so that pauses of this process do not count.
  let looks = 0;
  const look = async () => {
    if (Date.now() >= Date.parse(at)) looks += 1;
    return (await platen.call('GET', '/posts/in-time')).json;
  };
  const published = { status: 'published', published_at: at, scheduled_at: null };
  await expect.poll(look, { interval: 50 }).toMatchObject(published);
  expect(looks * 50).toBeLessThan(2_000);
  await expect.poll(async () => (await platen.read('starter', '/in-time/')).status).toBe(200);
  expect(await platen.services.publication.publishDue()).toBe(0);
});

test('a post whose time passed while the server was down is published at the start, dated by its schedule', async () => {
  const workshop = await openWorkshop();
  const { services, caller, clock } = workshop;
  const blog = await workshop.newBlog('asleep');
  const meta = { description: null, ogImage: null };
  const { slug } = await services.posts.create(caller, blog, {
    title: 'Slept through',
    content: 'x',
    tags: [],
    status: 'draft',
    meta,
  });
  const at = addMilliseconds(clock.now(), 60_000);
  await services.publication.schedule(caller, blog, slug, at);
  expect(await services.publication.publishDue()).toBe(0);

  const nextDay = { now: () => addMilliseconds(at, 24 * 60 * 60 * 1000) };
  const restarted = await createServices(workshop.config, { clock: nextDay });
  expect(await restarted.publication.publishDue()).toBe(1);
  expect(await restarted.publication.publishDue()).toBe(0);
  expect(await restarted.posts.get(blog, slug)).toMatchObject({ status: 'published', publishedAt: at });
  await restarted.close();
  await workshop.close();
});

test('scheduled posts of a suspended account are withheld, and published once it is reinstated', async () => {
  const workshop = await openWorkshop();
  const { caller, clock } = workshop;
  let now = clock.now;
  const services = await createServices(workshop.config, { clock: { now: () => now() } });
  const { publication } = services;
  const other = await workshop.newCaller('other@example.org');
  const at = addMilliseconds(clock.now(), HOUR);
  for (const [owner, slug] of [[caller, 'suspended'] as const, [other, 'at-work'] as const]) {
    const blog = await workshop.newBlog(slug, owner);
    for (const title of ['One', 'Two']) {
      const post = { title, content: 'x', tags: [], meta: { description: null, ogImage: null } };
      const written = await services.posts.create(owner, blog, { ...post, status: 'draft' });
      await publication.schedule(owner, blog, written.slug, title === 'One' ? at : addMilliseconds(at, HOUR));
    }
  }
  const states = async () =>
    Object.fromEntries(
      (
        await services.db
          .selectFrom('posts')
          .innerJoin('blogs', 'blogs.id', 'posts.blog_id')
          .select(['blogs.slug as blog', 'posts.slug', 'posts.status', 'posts.published_at'])
          .execute()
      ).map(({ blog, slug, status, published_at }) => [`${blog}/${slug}`, published_at ?? status]),
    );

  await services.accounts.suspend(caller.accountId);
  now = () => addMilliseconds(at, 1);
  expect(await publication.publishDue()).toBe(1);
  expect(await publication.publishDue()).toBe(0);
  const others = { 'at-work/one': at, 'at-work/two': 'scheduled' };
  expect(await states()).toEqual({
    'suspended/one': 'scheduled',
    'suspended/two': 'scheduled',
    ...others,
  });

  await services.accounts.reinstate(caller.accountId);
  expect(await publication.publishDue()).toBe(1);
  expect(await publication.publishDue()).toBe(0);
  expect(await states()).toEqual({ 'suspended/one': at, 'suspended/two': 'scheduled', ...others });
  await services.close();
  await workshop.close();
});

test('a published post that is scheduled leaves the edge and its lists until its time', async () => {
  await create({ title: 'Hidden for now', status: 'published', tags: ['hidden'] });
  expect((await platen.read('starter', '/tags/hidden/')).status).toBe(200);
  await schedule('hidden-for-now', soon(HOUR));
  expect((await platen.read('starter', '/hidden-for-now/')).status).toBe(404);
  expect((await platen.read('starter', '/tags/hidden/')).status).toBe(404);
  expect((await platen.read('starter', '/')).text).not.toContain('Hidden for now');
  const published = await platen.call('POST', '/posts/hidden-for-now/publish', undefined, {
    headers: { Prefer: 'wait=60' },
  });
  expect(published.json.status).toBe('published');
  expect((await platen.read('starter', '/hidden-for-now/')).status).toBe(200);
});

test('a schedule may name a time zone, and is stored in UTC', async () => {
  await create({ title: 'Zoned' });
  const answer = await schedule('zoned', '2199-01-01T09:00:00+09:00');
  expect(answer.json.scheduled_at).toBe('2199-01-01T00:00:00.000Z');
  expect((await platen.call('GET', '/posts?status=scheduled')).json.data[0].slug).toBe('zoned');
});

describe('times that a schedule refuses', () => {
  test.each([
    ['is past', '2020-01-01T00:00:00Z'],
    ['is not a timestamp', 'tomorrow'],
    ['has no time zone', '2199-01-01T09:00:00'],
    ['is not in the calendar', '2199-02-30T09:00:00Z'],
    ['is a number', 4_102_444_800],
    ['is null', null],
    ['is missing', undefined],
  ])('a schedule refuses a time that %s', async (_what, at) => {
    await create({ title: 'Refused', slug: 'refused' });
    expectRefusal(await schedule('refused', at), 400, /^scheduled_at: /);
    expect((await platen.call('GET', '/posts/refused')).json.status).toBe('draft');
  });
});

test('scheduling needs the creator plan, and the refusal says where to get it', async () => {
  for (const [tier, status] of [
    ['starter', 403],
    ['creator', 200],
  ] as const) {
    const author = await newAuthor(platen, tier);
    await author.post({ title: 'Later' });
    const answer = await author.call('POST', '/posts/later/schedule', { scheduled_at: soon(HOUR) });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.json.upgrade_url).toMatch(/^http/);
  }
});

test('an unpublished post is a draft again, and gone for readers', async () => {
  await create({ title: 'Withdrawn', status: 'published' });
  const answer = await platen.call('POST', '/posts/withdrawn/unpublish', undefined, {
    headers: { Prefer: 'wait=60' },
  });
  expect(answer.json).toMatchObject({ slug: 'withdrawn', status: 'draft' });
  expect((await platen.read('starter', '/withdrawn/')).status).toBe(404);
  expect((await platen.call('GET', '/posts/withdrawn')).json).toMatchObject({
    status: 'draft',
    published_at: null,
  });
  const again = await platen.call('POST', '/posts/withdrawn/unpublish');
  expect([again.status, again.json.rebuild_id]).toEqual([200, undefined]);
});

test('an unknown slug can be neither scheduled nor unpublished', async () => {
  expectRefusal(await schedule('nowhere', soon(HOUR)), 404, /nowhere/);
  expectRefusal(await platen.call('POST', '/posts/nowhere/unpublish'), 404, /nowhere/);
});
