// Slow: starts a server, and waits for a rebuild after each write.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen, 'enterprise');
});
afterAll(() => platen.close());

const OLD = '2019-03-14T08:30:00.000Z';
const headers = { Prefer: 'wait=60' };
const create = (fields: object) =>
  author.call('POST', '/posts', { title: 'T', content: 'Text.', status: 'published', ...fields }, headers);
const read = (path: string) => platen.read(author.blogSlug, path);
const dateOf = async (slug: string) => (await author.call('GET', `/posts/${slug}`)).json.published_at;
const inMilliseconds = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

it('a post created with an older date stands there: on its page, in its month, after newer posts', async () => {
  await create({ slug: 'new' });
  const created = await create({ slug: 'old', published_at: '2019-03-14T09:30:00+01:00' });
  expect(created.status, created.text).toBe(201);
  expect(await dateOf('old')).toBe(OLD);
  const front = await read('/');
  expect(front.text.indexOf('href="/new/"')).toBeGreaterThan(0);
  expect(front.text.indexOf('href="/old/"')).toBeGreaterThan(front.text.indexOf('href="/new/"'));
  expect((await read('/archive/2019-03/')).text).toContain('href="/old/"');
  expect((await read('/old/')).text).toContain(`datetime="${OLD}"`);
  expect((await read('/feed.xml')).text).toContain(
    `<published>${OLD}</published>\n<updated>${OLD}</updated>`,
  );
  // The work of moving it in is not a revision.
  await author.call('PUT', '/posts/old', { content: 'Text, corrected.' }, headers);
  const { text } = await read('/old/');
  expect(text).toContain('corrected');
  expect(text).toContain(`"dateModified":"${OLD}"`);
  expect(text).toContain(`article:modified_time" content="${OLD}"`);
  expect(text).not.toContain('Updated');
  expect((await read('/sitemap-1.xml')).text).toContain(`/old/</loc><lastmod>${OLD}</lastmod>`);
});

it('a draft is published with an older date', async () => {
  await create({ slug: 'draft', status: 'draft' });
  const published = await author.call('POST', '/posts/draft/publish', { published_at: OLD });
  expect(published.json).toMatchObject({ status: 'published', published_at: OLD });
  expect(await dateOf('draft')).toBe(OLD);
});

it('publishing a published post says that its date is not read', async () => {
  await create({ slug: 'twice', published_at: OLD });
  const publish = (published_at: string, more = {}) =>
    author.call('POST', '/posts/twice/publish', { published_at }, more);
  const again = await publish('2018-01-01T00:00:00Z', { 'Idempotency-Key': 'twice' });
  const message =
    'is not read, because the post is already published: change its date with PUT /v1/posts/twice';
  expect(again.json).toMatchObject({ published_at: OLD, warnings: [`\`published_at\` ${message}`] });
  const repeated = await publish('2018-01-01T00:00:00Z', { 'Idempotency-Key': 'twice' });
  expect(repeated.json).toEqual(again.json);
  expect((await publish(OLD)).json).not.toHaveProperty('warnings');
  const strict = await publish('2018-01-01T00:00:00Z', { Prefer: 'handling=strict' });
  expectRefusal(strict, 400, new RegExp(`^published_at: ${message}$`));
  await create({ slug: 'once', status: 'draft' });
  const once = await author.call('POST', '/posts/once/publish', { published_at: OLD });
  expect(once.json).not.toHaveProperty('warnings');
});

it('a post that is taken offline loses its date, and a warning says what it was', async () => {
  await create({ slug: 'dated', published_at: OLD });
  const strict = { Prefer: 'handling=strict', 'Idempotency-Key': 'dated' };
  const withdraw = () => author.call('POST', '/posts/dated/unpublish', undefined, strict);
  const warnings = [`published_at: was ${OLD}: send it to POST /v1/posts/dated/publish to keep it`];
  expect((await withdraw()).json.warnings).toEqual(warnings);
  expect((await withdraw()).json.warnings).toEqual(warnings);
  const draft = await author.call('POST', '/posts/dated/unpublish');
  expect(draft.json).not.toHaveProperty('warnings');
  await author.call('POST', '/posts/dated/publish', { published_at: OLD });
  const schedule = () =>
    author.call('POST', '/posts/dated/schedule', { scheduled_at: '2099-01-01T00:00:00Z' });
  expect((await schedule()).json.warnings).toEqual([
    `published_at: was ${OLD}: when it is published, PUT keeps it`,
  ]);
  expect((await schedule()).json).not.toHaveProperty('warnings');
});

it('publishing without a body, or without a date, dates a post now', async () => {
  for (const body of [undefined, {}]) {
    const slug = `now-${body === undefined}`;
    await create({ slug, status: 'draft' });
    const before = new Date().toISOString();
    const { json } = await author.call('POST', `/posts/${slug}/publish`, body);
    expect(json.published_at >= before).toBe(true);
  }
});

it('a published post gets another date, and leaves its month', async () => {
  await create({ slug: 'moving', published_at: '2018-05-01T00:00:00Z' });
  const changed = await author.call(
    'PUT',
    '/posts/moving',
    { published_at: '2017-05-01T00:00:00Z' },
    headers,
  );
  expect(changed.json.published_at).toBe('2017-05-01T00:00:00.000Z');
  expect((await read('/archive/2018-05/')).status).toBe(404);
  expect((await read('/archive/2017-05/')).text).toContain('href="/moving/"');
  // The same date again changes nothing.
  const again = await author.call('PUT', '/posts/moving', { published_at: '2017-05-01T00:00:00Z' });
  expect(again.json.updated_at).toBe(changed.json.updated_at);
  expect(again.json).not.toHaveProperty('rebuild_id');
});

it('a date in the future is refused with the way to schedule, and nothing is written', async () => {
  const published_at = inMilliseconds(60_000);
  const schedule = /in the future.*POST \/v1\/posts\/\{slug\}\/schedule/;
  expectRefusal(await create({ slug: 'future', published_at }), 400, schedule);
  expect((await author.call('GET', '/posts/future')).status).toBe(404);
  await create({ slug: 'waiting', status: 'draft' });
  expectRefusal(await author.call('POST', '/posts/waiting/publish', { published_at }), 400, schedule);
  await create({ slug: 'here' });
  const refused = await author.call('PUT', '/posts/here', { published_at });
  expectRefusal(refused, 400, schedule);
  expect([refused.json.errors[0].field, refused.json.docs]).toEqual([
    'published_at',
    expect.stringMatching(/#posts$/),
  ]);
  const past = inMilliseconds(-1_000);
  expect((await create({ slug: 'past', published_at: past })).status).toBe(201);
});

it('a draft takes no date, and says where it gets one', async () => {
  const publish = /POST \/v1\/posts\/\{slug\}\/publish/;
  expectRefusal(await create({ status: 'draft', published_at: OLD }), 400, publish);
  await create({ slug: 'undated', status: 'draft' });
  expectRefusal(await author.call('PUT', '/posts/undated', { published_at: OLD }), 400, publish);
  expect((await author.call('PUT', '/posts/undated', { published_at: null })).status).toBe(200);
});

it.each(['yesterday', '2019-03-14', '2019-02-30T00:00:00Z', '0000-01-01T00:00:00+14:00', 7])(
  'a date that is none is refused: %j',
  async (published_at) => {
    expectRefusal(
      await create({ published_at }),
      400,
      /^published_at: (?:must be|is a date alone|is no date)/,
    );
  },
);

it('the first and the last moment that a date can name are told apart', async () => {
  expect((await create({ slug: 'first', published_at: '1000-01-01T00:00:00Z' })).status).toBe(201);
  expect(await dateOf('first')).toBe('1000-01-01T00:00:00.000Z');
});
