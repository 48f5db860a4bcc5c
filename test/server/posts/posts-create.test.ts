// Slow: starts a server, and waits for a rebuild after many writes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen);
});
afterAll(() => platen.close());

const draft = (fields: object) => author.call('POST', '/posts', { title: 'T', content: 'C', ...fields });

describe('creating a post', () => {
  it('a new draft has its future address and no rebuild', async () => {
    const { status, json } = await draft({ title: 'First light' });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(uuidV7),
      slug: 'first-light',
      url: `http://${author.blogSlug}.${new URL(platen.origin).host}/first-light/`,
      status: 'draft',
      created_at: expect.stringMatching(moment),
    });
  });

  it('a new published post has the rebuild that makes it live', async () => {
    const { status, json } = await draft({ title: 'Out now', status: 'published' });
    expect(status).toBe(201);
    expect(json).toMatchObject({ status: 'published', rebuild_id: expect.stringMatching(uuidV7) });
  });

  it('a new post keeps every given field', async () => {
    const given = {
      title: 'All of it',
      content: '# Heading\n\nSome *words*.\n',
      slug: 'all-of-it-2026',
      tags: ['Café', 'C++', '日本'],
      status: 'published',
      meta: { description: 'Said by hand', og_image: 'https://example.org/card.png?x=1&y=2' },
    };
    const created = (await draft(given)).json;
    const { json } = await author.call('GET', '/posts/all-of-it-2026');
    expect(json).toEqual({
      id: created.id,
      blog_id: author.blogId,
      title: given.title,
      slug: given.slug,
      url: created.url,
      content_md: given.content,
      content_html: expect.stringContaining('<em>words</em>'),
      meta_description: 'Said by hand',
      og_image_url: given.meta.og_image,
      tags: given.tags,
      status: 'published',
      published_at: created.created_at,
      scheduled_at: null,
      created_at: created.created_at,
      translations: {},
      type: 'post',
      featured: false,
      unlisted: false,
      series: null,
      canonical_url: null,
      language: null,
      author: null,
      cover_image: null,
      updated_at: created.created_at,
    });
  });

  it('a new post gets defaults for omitted fields', async () => {
    const { json } = await draft({ title: 'Bare', content: 'The **first** paragraph.\n\nAnother.' });
    expect((await author.call('GET', `/posts/${json.slug}`)).json).toMatchObject({
      status: 'draft',
      tags: [],
      meta_description: 'The first paragraph.',
      og_image_url: null,
      published_at: null,
      scheduled_at: null,
    });
  });

  it('an empty or null description is generated from the content', async () => {
    for (const description of ['', '   ', null]) {
      const { json } = await draft({ content: 'From the content.', meta: { description } });
      const post = (await author.call('GET', `/posts/${json.slug}`)).json;
      expect(post.meta_description).toBe('From the content.');
    }
  });

  it('titles and tags are trimmed', async () => {
    const { json } = await draft({ title: '  Edges \n', slug: 'edges', tags: [' a ', '\tb'] });
    expect(json.slug).toBe('edges');
    expect((await author.call('GET', '/posts/edges')).json).toMatchObject({
      title: 'Edges',
      tags: ['a', 'b'],
    });
  });

  it('tags that share a page are kept as written', async () => {
    const { status, json } = await draft({ tags: ['Rust', 'rust', 'rust'], status: 'published' });
    expect(status).toBe(201);
    expect((await author.call('GET', `/posts/${json.slug}`)).json.tags).toEqual(['Rust', 'rust', 'rust']);
  });

  it('a post can be created as responses and exports give it', async () => {
    const owner = await newAuthor(platen, 'creator');
    const create = (fields: object) => owner.call('POST', '/posts', { title: 'T', ...fields });
    const absent = { published_at: null, scheduled_at: null };
    const made = await create({ slug: 'given', content_md: 'As *written*.', ...absent });
    expect([made.status, made.json.status, made.json.warnings]).toEqual([201, 'draft', undefined]);
    expect((await owner.call('GET', '/posts/given')).json.content_md).toBe('As *written*.');
    expectRefusal(await create({}), 400, /^content: is missing/);
    expectRefusal(await create({ content_md: ' ' }), 400, /^content_md: must not be empty/);
    expect((await create({ tags: 'a' })).json.errors).toMatchObject([
      { field: 'tags' },
      { field: 'content' },
    ]);
  });

  it('a post can be scheduled when it is created, for a time in the future and on plans that schedule', async () => {
    const at = '2099-05-01T07:00:00.000Z';
    const owner = await newAuthor(platen, 'creator');
    const create = (fields: object, of = owner) =>
      of.call('POST', '/posts', { title: 'T', content: 'C', ...fields });
    const { status, json } = await create({ slug: 'later', status: 'scheduled', scheduled_at: at });
    expect([status, json.status, json.rebuild_id]).toEqual([201, 'scheduled', undefined]);
    expect((await owner.call('GET', '/posts/later')).json).toMatchObject({
      scheduled_at: at,
      published_at: null,
    });
    const past = { status: 'scheduled', scheduled_at: '2020-01-01T00:00:00Z' };
    expectRefusal(await create(past), 400, /^scheduled_at: must be in the future/);
    expectRefusal(await create({ scheduled_at: at }), 400, /^scheduled_at: needs the status scheduled/);
    const poor = await newAuthor(platen, 'starter');
    expectRefusal(await create({ status: 'scheduled', scheduled_at: at }, poor), 403, /plan/, [
      'upgrade_url',
    ]);
  });

  it('the previous slugs of a new post redirect to it, up to twenty', async () => {
    await draft({ slug: 'in-the-way' });
    const many = Array.from({ length: 20 }, (_, n) => `was-${n}`);
    const body = { slug: 'now', status: 'published', previous_slugs: [...many.slice(0, 19), 'was-1'] };
    const { json } = await author.call(
      'POST',
      '/posts',
      { title: 'T', content: 'C', ...body },
      { Prefer: 'wait=60' },
    );
    expect(json.slug).toBe('now');
    expect((await platen.read(author.blogSlug, '/was-18/')).headers.get('location')).toMatch(/\/now\/$/);
    const refused = (previous_slugs: string[]) => draft({ slug: 'other', previous_slugs });
    expectRefusal(await refused([...many, 'was-20']), 400, /^previous_slugs: must be at most 20 slugs/);
    expectRefusal(await refused(['other']), 400, /^previous_slugs: "other" is the slug of the post/);
    expectRefusal(await refused(['in-the-way']), 409, /"in-the-way" is taken by another post/);
    expectRefusal(await refused(['was-3']), 409, /"was-3" is taken by a redirect/);
    expectRefusal(await refused(['tags']), 409, /"tags" is taken/);
    expect((await author.call('GET', '/posts/other')).status).toBe(404);
  });

  it('the status of a new post is draft, published, or scheduled with a time', async () => {
    for (const status of ['Draft', '', null]) {
      const message = /^status: must be draft, published, or scheduled with scheduled_at$/;
      expectRefusal(await draft({ status }), 400, message);
    }
  });
});

describe('the slug of a new post', () => {
  it('a slug is made from a title in any script', async () => {
    expect((await draft({ title: 'Été à Łódź: 東京' })).json.slug).toBe('ete-a-lodz-dong-jing');
  });

  it('a slug is made from the id if the title gives none', async () => {
    const { json } = await draft({ title: '🎉🎉' });
    expect(json.slug).toMatch(/^post-[0-9a-f]{8}$/);
    expect(json.id.endsWith(json.slug.slice(5))).toBe(true);
  });

  it('slugs of equal titles are numbered', async () => {
    const slugs: string[] = [];
    for (let n = 0; n < 30; n += 1) slugs.push((await draft({ title: 'Again' })).json.slug);
    expect(slugs).toEqual(['again', ...Array.from({ length: 29 }, (_, i) => `again-${i + 2}`)]);
  });

  it('simultaneous posts with equal titles get different slugs', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => draft({ title: 'At once' })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ json }) => json.slug)).size).toBe(12);
  });

  it('a numbered slug has at most a hundred characters', async () => {
    const title = 'w'.repeat(100);
    expect((await draft({ title })).json.slug).toBe(title);
    expect((await draft({ title })).json.slug).toBe(`${'w'.repeat(98)}-2`);
  });

  it.each(['page', 'tags', 'archive', 'search', 'og', 'assets', 'pagefind'])(
    'a generated slug avoids the blog’s own /%s/, and a chosen one is refused there',
    async (title) => {
      expect((await draft({ title })).json.slug).toBe(`${title}-2`);
      expectRefusal(await draft({ slug: title }), 409, new RegExp(`"${title}"`));
    },
  );

  it('a chosen slug is used unchanged', async () => {
    for (const slug of ['chosen', '2026', 'a--b', '0']) expect((await draft({ slug })).json.slug).toBe(slug);
  });

  it('a slug that another post has is refused', async () => {
    await draft({ slug: 'mine' });
    expectRefusal(await draft({ slug: 'mine' }), 409, /"mine" is taken/);
  });

  it('a slug may be used again in another blog', async () => {
    const other = await newAuthor(platen);
    await draft({ slug: 'shared' });
    expect((await other.post({ slug: 'shared' })).slug).toBe('shared');
  });

  it.each([
    '',
    'Upper',
    'with space',
    'ünicode',
    'a_b',
    'a/b',
    '../up',
    '..',
    'a%2fb',
    'a.b',
    'a\n',
    7,
    null,
  ])('the slug %j is refused', async (slug) => expectRefusal(await draft({ slug }), 400, /^slug: /));
});

describe('fields that contradict each other', () => {
  const PAST = '2019-03-14T08:30:00.000Z';
  const FUTURE = '2199-01-01T00:00:00.000Z';

  it.each<[string, object, RegExp]>([
    [
      'a scheduled post with a date',
      { status: 'scheduled', scheduled_at: FUTURE, published_at: PAST },
      /^published_at: a scheduled post has no date yet/,
    ],
    [
      'a draft with a date',
      { status: 'draft', published_at: PAST },
      /^published_at: .*a draft gets its date/,
    ],
    ['a scheduled post without a time', { status: 'scheduled' }, /^scheduled_at: is missing/],
    ['a draft with a time', { scheduled_at: FUTURE }, /^scheduled_at: needs the status scheduled/],
    ['two texts', { content: 'One.', content_md: 'Two.' }, /^content_md: differs from content/],
    [
      'a year with a digit too few',
      { status: 'published', published_at: '0201-03-14T08:30:00Z' },
      /^published_at: must be in a year from 1000/,
    ],
  ])('%s is refused', async (_, fields, message) => {
    expectRefusal(await draft(fields), 400, message);
  });

  it('the same text under both names is one text, and the year 1000 is one', async () => {
    const same = { slug: 'same', content: 'One.', content_md: 'One.' };
    const answer = await draft({ ...same, status: 'published', published_at: '1000-01-01T00:00:00Z' });
    expect(answer.status, answer.text).toBe(201);
  });

  it('of a page that has what only posts have, each field is named', async () => {
    const { json } = await draft({ type: 'page', tags: ['a'], featured: true });
    const message = 'only for posts, because a page is in no list: leave it out';
    expect(json.errors).toEqual([
      { field: 'tags', message },
      { field: 'featured', message },
    ]);
  });

  it('a change of the type says that it is fixed', async () => {
    await draft({ slug: 'fixed' });
    const { json } = await author.call('PUT', '/posts/fixed', { type: 'page' });
    expect(json.warnings).toEqual([
      '`type` is not changed by PUT: it is fixed: create a page and delete the post, or the reverse',
    ]);
  });
});
