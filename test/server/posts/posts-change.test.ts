// Slow: starts a server, and waits for a rebuild after many writes.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

const REBUILD = expect.stringMatching(/^[0-9a-f-]{36}$/);

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen);
});
afterAll(() => platen.close());

const get = async (slug: string) => (await author.call('GET', `/posts/${slug}`)).json;
const put = (slug: string, patch: object) => author.call('PUT', `/posts/${slug}`, patch);

describe('changing a post', () => {
  const given = {
    title: 'Before',
    content: 'As it was.',
    tags: ['one', 'two'],
    meta: { description: 'By hand', og_image: 'https://example.org/a.png' },
  };
  let slug: string;
  beforeEach(async () => {
    slug = (await author.post({ ...given, status: 'draft' })).slug;
    // Timestamps have milliseconds, and the change must be later.
    await delay(3);
  });

  it.each([
    ['title', { title: 'After' }, { title: 'After' }],
    ['tags', { tags: ['three'] }, { tags: ['three'] }],
    ['tags to none', { tags: [] }, { tags: [] }],
    [
      'content',
      { content: 'As *now*.' },
      { content_md: 'As *now*.', content_html: '<p>As <em>now</em>.</p>\n' },
    ],
    ['description', { meta: { description: 'Anew' } }, { meta_description: 'Anew' }],
    [
      'image',
      { meta: { og_image: 'https://example.org/b.png' } },
      { og_image_url: 'https://example.org/b.png' },
    ],
    [
      'description back to the generated one',
      { meta: { description: null } },
      { meta_description: 'As it was.' },
    ],
    ['image back to the card', { meta: { og_image: null } }, { og_image_url: null }],
  ])('a change of the %s changes nothing else', async (_name, patch, changed) => {
    const before = await get(slug);
    const { status, json } = await put(slug, patch);
    expect(status).toBe(200);
    expect(json).toEqual({ ...before, ...changed, updated_at: json.updated_at });
    expect(json.updated_at > before.updated_at).toBe(true);
    expect(await get(slug)).toEqual(json);
  });

  it('the description follows the content until the author sets one', async () => {
    await put(slug, { meta: { description: null } });
    await put(slug, { content: 'New first words.' });
    expect((await get(slug)).meta_description).toBe('New first words.');
  });

  it.each([
    ['no fields', {}],
    ['an empty meta', { meta: {} }],
    ['the current values', given],
  ])('a change with %s changes nothing', async (_name, patch) => {
    const before = await get(slug);
    const { status, json } = await author.call('PUT', `/posts/${slug}`, patch);
    expect(status).toBe(200);
    expect(json).toEqual(before);
    expect(await get(slug)).toEqual(before);
  });

  it('a change of fields that are unknown or read-only changes nothing, and says so', async () => {
    const before = await get(slug);
    const patch = {
      id: 'x',
      status: 'published',
      created_at: '2020-01-01',
      contnet: 'C',
      nonsense: { a: [1] },
    };
    const { status, json } = await author.call('PUT', `/posts/${slug}`, patch);
    expect([status, json]).toEqual([
      200,
      {
        ...before,
        warnings: [
          'fields that are not changed by PUT: `id`, `status` (use POST /v1/posts/{slug}/publish, /schedule or /unpublish), `created_at`',
          '`contnet` is not a field of this request: did you mean `content`?',
          '`nonsense` is not a field of this request',
        ],
      },
    ]);
    const strict = { Prefer: 'handling=strict' };
    const refused = await author.call('PUT', `/posts/${slug}`, { title: 'New', contnet: 'C' }, strict);
    expectRefusal(refused, 400, /^contnet: is not a field of this request: did you mean `content`\?$/);
    expect(await get(slug)).toEqual(before);
  });

  it('what a client got can be sent back, and one warning lists what a change leaves alone', async () => {
    const got = await get(slug);
    const { status, json } = await author.call('PUT', `/posts/${slug}`, got);
    const { warnings, ...post } = json;
    expect([status, post]).toEqual([200, got]);
    expect(warnings).toEqual([expect.stringMatching(/`id`, .*`content_md` \(send `content`\)/)]);
  });

  it('a new slug moves the post', async () => {
    const before = await get(slug);
    const { json } = await put(slug, { slug: `${slug}-moved` });
    expect(json).toMatchObject({ id: before.id, slug: `${slug}-moved` });
    expect(json.url).toBe(before.url.replace(/\/$/, '-moved/'));
    expectRefusal(await author.call('GET', `/posts/${slug}`), 404, new RegExp(slug));
  });

  it('the slug stays when the title changes', async () => {
    expect((await put(slug, { title: 'Quite another' })).json.slug).toBe(slug);
  });

  it('a slug in use is refused, and nothing is written', async () => {
    await author.post({ slug: 'taken', status: 'draft' });
    const before = await get(slug);
    expectRefusal(await put(slug, { slug: 'taken', title: 'Lost' }), 409, /"taken" is taken/);
    expectRefusal(await put(slug, { slug: 'tags', title: 'Lost' }), 409, /"tags" is taken/);
    expect(await get(slug)).toEqual(before);
  });

  it.each(['title', 'content', 'slug', 'tags', 'meta'])('a change cannot set %s to null', async (field) => {
    expectRefusal(await put(slug, { [field]: null }), 400, new RegExp(`^${field}: `));
  });
});

describe('publishing a post', () => {
  it('publishing a draft sets the time of publication', async () => {
    const { id, slug, url } = await author.post({ status: 'draft' });
    const asked = new Date().toISOString();
    const { status, json } = await author.call('POST', `/posts/${slug}/publish`);
    const answered = new Date().toISOString();
    expect(status).toBe(200);
    const { published_at } = await get(slug);
    expect(json).toEqual({ id, slug, url, status: 'published', published_at, rebuild_id: REBUILD });
    expect(published_at >= asked && published_at <= answered).toBe(true);
  });

  it('publishing a published post changes nothing', async () => {
    const { slug } = await author.post({});
    const before = await get(slug);
    const { status, json } = await author.call('POST', `/posts/${slug}/publish`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: 'published', published_at: before.published_at });
    expect(json).not.toHaveProperty('rebuild_id');
    expect(await get(slug)).toEqual(before);
  });
});

describe('deleting a post', () => {
  it('a deleted post is gone for good', async () => {
    const { slug } = await author.post({ status: 'draft', tags: ['gone'] });
    const { status, json } = await author.call('DELETE', `/posts/${slug}`);
    expect([status, json]).toEqual([200, { deleted: true }]);
    expectRefusal(await author.call('GET', `/posts/${slug}`), 404, new RegExp(slug));
    expect((await author.call('GET', '/posts?tag=gone')).json.data).toEqual([]);
    expect((await author.post({ slug, status: 'draft' })).slug).toBe(slug);
  });
});

it.each([
  ['GET', '/posts/nowhere', undefined],
  ['PUT', '/posts/nowhere', { title: 'T' }],
  ['DELETE', '/posts/nowhere', undefined],
  ['POST', '/posts/nowhere/publish', undefined],
])('%s %s is not found', async (method, path, body) => {
  expectRefusal(await author.call(method, path, body), 404, /no post "nowhere"/);
});

it('a slug that a post had before is not found, with the one that it has now', async () => {
  await author.post({ slug: 'note-three' });
  await put('note-three', { slug: 'note-four' });
  for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const) {
    const answer = await author.call(method, '/posts/note-three', body);
    expectRefusal(answer, 404, /^there is no post "note-three" in the blog "[\w-]+": it is now "note-four"$/);
  }
});

it('an id instead of a slug is not found, with the slug', async () => {
  const { id } = await author.post({ slug: 'by-slug' });
  expectRefusal(await author.call('GET', `/posts/${id}`), 404, /: use its slug, "by-slug", not its id$/);
  const unknown = await author.call('GET', '/posts/01902f6e-7c10-7000-8000-00000000002a');
  expectRefusal(unknown, 404, /: use its slug, not its id$/);
});

it('a post that is not found may be in another blog of the account', async () => {
  const other = await newAuthor(platen);
  expectRefusal(await other.call('GET', '/posts/elsewhere'), 404, new RegExp(`"${other.blogSlug}"$`));
  await other.call('POST', '/blogs', { slug: `${other.blogSlug}-too`, name: 'Two' });
  expectRefusal(await other.call('GET', '/posts/elsewhere'), 404, /: for another blog.*X-Blog-Id$/);
});

it('a slug of hyphens alone is refused', async () => {
  await author.post({ slug: 'hyphens' });
  expectRefusal(await put('hyphens', { slug: '--' }), 400, /^slug: must have a letter or a digit$/);
  const body = { title: 'T', content: 'C', slug: '-' };
  expectRefusal(await author.call('POST', '/posts', body), 400, /^slug: must have a letter or a digit$/);
});

it('a slug that is taken is refused by the name of its field', async () => {
  await author.post({ slug: 'ink' });
  const body = { title: 'T', content: 'C', previous_slugs: ['ink'] };
  const refused = await author.call('POST', '/posts', body);
  expectRefusal(refused, 409, /^previous_slugs: the slug "ink" is taken by another post$/);
});

it('previous slugs are changed by no PUT, and the warning says so', async () => {
  const { warnings } = (await put('ink', { previous_slugs: ['a'] })).json;
  expect(warnings).toEqual([expect.stringMatching(/^`previous_slugs` is not changed by PUT: only POST/)]);
});

describe('the rebuild in a response', () => {
  it('a response names a rebuild if readers can see a difference', async () => {
    const { slug, rebuild_id } = await author.post({ slug: 'seen' });
    expect(rebuild_id).toEqual(REBUILD);
    expect((await put(slug, { title: 'Seen differently' })).json.rebuild_id).toEqual(REBUILD);
    const removed = await author.call('DELETE', `/posts/${slug}`);
    expect(removed.json).toEqual({ deleted: true, rebuild_id: REBUILD });
  });

  it('a response names no rebuild if readers see no difference', async () => {
    const { slug, ...created } = await author.post({ slug: 'unseen', status: 'draft' });
    const answers = [created, (await put(slug, { title: 'Unseen still' })).json];
    answers.push((await author.call('DELETE', `/posts/${slug}`)).json);
    const published = await author.post({ slug: 'same' });
    answers.push((await put(published.slug, { title: 'A title' })).json, await get(published.slug));
    for (const answer of answers) expect(answer).not.toHaveProperty('rebuild_id');
  });
});
