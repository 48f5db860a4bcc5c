// Slow: starts a whole server, and waits for a rebuild.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen);
  await author.post({ slug: 'subject', status: 'draft' });
});
afterAll(() => platen.close());

const create = (translations: unknown) =>
  author.call('POST', '/posts', { title: 'T', content: 'C', translations });
const update = (fields: object) => author.call('PUT', '/posts/subject', fields);
const kept = async (slug = 'subject') => (await author.call('GET', `/posts/${slug}`)).json.translations;

const both = { ja: 'nihongo-no-kiji', de: 'https://example.org/de/artikel/' };
/** Tags of two and three letters; a tag is well-formed even if no such language exists. */
const languages = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${String.fromCharCode(97 + n)}`, 'a']));
const address = (length: number) => `https://example.org/${'i'.repeat(length - 20)}`;
const tag = (last: number) => `en-x-aaaaaaaa-bbbbbbbb-cccccccc-${'d'.repeat(last)}`;

describe('the translations of a post', () => {
  it('translations are stored and returned in the order of their tags', async () => {
    const { json } = await create(both);
    expect(await kept(json.slug)).toEqual(both);
    expect(Object.keys(await kept(json.slug))).toEqual(['de', 'ja']);
    const changed = await update({ translations: both });
    expect(changed.json.translations).toEqual(both);
  });

  it('a post without translations has an empty set', async () => {
    for (const none of [undefined, null, {}]) {
      const { status, json } = await create(none);
      expect([status, await kept(json.slug)]).toEqual([201, {}]);
    }
  });

  it('translations stay if a change omits them, are replaced as a whole, and are removed by null or an empty set', async () => {
    await update({ translations: both });
    expect((await update({ title: 'Another' })).json.translations).toEqual(both);
    expect((await update({ translations: { fr: 'en-francais' } })).json.translations).toEqual({
      fr: 'en-francais',
    });
    for (const none of [null, {}]) {
      await update({ translations: both });
      expect((await update({ translations: none })).json.translations).toEqual({});
    }
  });

  it('changed translations change the entity tag, and equal ones change nothing', async () => {
    const before = (await update({ translations: {} })).headers.get('etag');
    const changed = await update({ translations: both });
    expect(changed.headers.get('etag')).not.toBe(before);
    const same = await update({ translations: { de: both.de, ja: both.ja } });
    expect(same.headers.get('etag')).toBe(changed.headers.get('etag'));
  });

  it('translations are returned with canonical language tags', async () => {
    const { json } = await update({ translations: { 'pt-br': 'a', 'ZH-hant-tw': 'b', iw: 'c' } });
    expect(json.translations).toEqual({ he: 'c', 'pt-BR': 'a', 'zh-Hant-TW': 'b' });
  });

  it('every post of a batch may have translations', async () => {
    const posts = [
      { title: 'With', content: 'x', slug: 'with', translations: both },
      { title: 'Wrong', content: 'x', translations: { ja: 'No slug' } },
    ];
    const { results } = (await author.call('POST', '/posts:batch', { posts })).json;
    expect(results[0].status).toBe(201);
    expect(await kept('with')).toEqual(both);
    expect(results[1].error.message).toMatch(/^translations\.ja: must be the slug/);
  });

  it('translations are part of revisions and are restored with them', async () => {
    await author.post({ slug: 'revised', status: 'draft', translations: both });
    await author.call('PUT', '/posts/revised', { translations: null });
    const [{ id }] = (await author.call('GET', '/posts/revised/revisions')).json.data;
    const path = `/posts/revised/revisions/${id}`;
    expect((await author.call('GET', path)).json.translations).toEqual(both);
    expect((await author.call('POST', `${path}/restore`)).json.translations).toEqual(both);
    expect(await kept('revised')).toEqual(both);
  });

  // The largest accepted value, one that is one too many, and the message of the refusal.
  it.each([
    ['20 languages', languages(20), languages(21), /^translations: .*20 languages/],
    ['35 characters in a tag', { [tag(3)]: 'a' }, { [tag(4)]: 'a' }, /^translations\.en-x-.*d…: .*35 char/],
    [
      '100 characters in a slug',
      { de: 's'.repeat(100) },
      { de: 's'.repeat(101) },
      /^translations\.de: .*slug/,
    ],
    [
      '2048 characters in an address',
      { de: address(2048) },
      { de: address(2049) },
      /^translations\.de: .*2048/,
    ],
  ])('translations may have %s and no more', async (_name, most, tooMuch, message) => {
    expectRefusal(await create(tooMuch), 400, message);
    expectRefusal(await update({ translations: tooMuch }), 400, message);
    expect((await create(most)).status).toBe(201);
    expect((await update({ translations: most })).json.translations).toEqual(most);
  });

  it.each([
    ...['text', 7, true, [], ['de'], [['de', 'a']]].map(
      (given) => [given, /^translations: must be an object/] as const,
    ),
    [{ de: 7 }, /^translations\.de: must be a string$/],
    [{ de: null }, /^translations\.de: must be a string$/],
    [{ de: {} }, /^translations\.de: must be a string$/],
    [{ en: 'a', deutsch_: 'b' }, /^translations\.deutsch_: must be a language tag/],
    [{ '': 'a' }, /^translations\.: must be a language tag/],
    [{ 'x-default': 'a' }, /^translations\.x-default: must be a language tag/],
    [{ 'de"><b>': 'a' }, /^translations\.de"><b>: must be a language tag/],
    [{ ['x'.repeat(100_000)]: 'a' }, /^translations\.x{35}…: /],
    [{ 'pt-BR': 'a', 'pt-br': 'b' }, /^translations\.pt-br: is the language pt-BR, which is named twice/],
    ...[
      ...['', ' ', 'No slug', 'ein/artikel', '/artikel/', '//example.org/', 'https:artikel', 'https://'],
      ...['ftp://example.org/', 'javascript:alert(1)', 'mailto:a@example.org', 'data:text/html,a', 'Ä'],
    ].map(
      (to) => [{ ja: 'a', de: to }, /^translations\.de: must be the slug of a post, or an http/] as const,
    ),
    [{ de: 'https://example.org/\u0007' }, /^translations\.de: must not contain control/],
    [{ de: 'https://example.org/\ud800' }, /^translations\.de: must not contain a lone surrogate/],
  ] as const)('malformed translations are refused by their tag: %j', async (given, message) => {
    expectRefusal(await create(given), 400, message);
    expectRefusal(await update({ translations: given }), 400, message);
  });
});

describe('a page with translations', () => {
  it('the page of a post follows its translations, and feeds and lists stay the same', async () => {
    const wait = { Prefer: 'wait=60' };
    await author.post({ title: 'Artikel', slug: 'artikel', translations: { en: 'article' } }, wait);
    await author.post({ title: 'Article', slug: 'article' }, wait);
    const read = async (path: string) => (await platen.read(author.blogSlug, path)).text;
    // A feed shows only the time of the last change.
    const others = async () =>
      Promise.all(
        ['/', '/feed.xml', '/rss.xml', '/feed.json', '/artikel/'].map(async (path) =>
          (await read(path)).replace(
            /<updated>.*?<\/updated>|<lastBuildDate>.*?<\/lastBuildDate>|"date_modified":"[^"]*"/g,
            '',
          ),
        ),
      );
    const before = await others();
    expect(await read('/article/')).not.toContain('hreflang');
    const { url } = (await author.call('GET', '/posts/article')).json;
    const blogUrl = url.slice(0, -'article/'.length);

    await author.call('PUT', '/posts/article', { translations: { de: 'artikel' } }, wait);
    const page = await read('/article/');
    expect(page).toContain(`<link rel="alternate" hreflang="de" href="${blogUrl}artikel/"/>`);
    expect(page).toContain(`<link rel="alternate" hreflang="en" href="${blogUrl}article/"/>`);
    expect(page).toContain(
      '<a href="/artikel/" hreflang="de" lang="de" rel="alternate"><bdi>Deutsch</bdi></a>',
    );
    expect(await read('/article.md')).toContain(`translations:\n  "de": "${blogUrl}artikel/"\n`);
    expect(await others()).toEqual(before);

    await author.call('PUT', '/posts/article', { translations: null }, wait);
    expect(await read('/article/')).not.toContain('hreflang');
    expect(await read('/article.md')).not.toContain('translations');
  });
});
