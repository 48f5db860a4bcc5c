// Slow: starts a server, and waits for a rebuild after each write.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

const headers = { Prefer: 'wait=60' };
const create = (fields: object) =>
  author.call('POST', '/posts', { title: 'T', content: 'Text.', status: 'published', ...fields }, headers);
const update = (slug: string, fields: object) => author.call('PUT', `/posts/${slug}`, fields, headers);
const get = async (slug: string) => (await author.call('GET', `/posts/${slug}`)).json;
const read = async (path: string) => platen.read(author.blogSlug, path);
const textAt = async (path: string) => (await read(path)).text;
const setBlog = (settings: object) => author.call('PUT', `/blogs/${author.blogId}`, { settings }, headers);

describe('a page', () => {
  it('a page is at its address, in the sitemap and in search, and in no list, feed or archive', async () => {
    const created = await create({ type: 'page', slug: 'about', title: 'About Kestrels' });
    expect(created.status, created.text).toBe(201);
    await create({ slug: 'beside', title: 'Beside' });
    expect((await read('/about/')).status).toBe(200);
    for (const path of ['/', '/feed.xml', '/rss.xml', '/feed.json', '/llms.txt']) {
      expect(await textAt(path), path).not.toContain('About Kestrels');
    }
    const [, month = ''] = /href="(\/archive\/[^"]+)"/.exec(await textAt('/archive/')) ?? [];
    expect(await textAt(month)).not.toContain('/about/');
    expect(await textAt('/sitemap-pages-1.xml')).toContain('/about/');
    expect(await textAt('/search/recent.json')).toContain('About Kestrels');
    const found = await author.call('GET', '/search?q=kestrels');
    expect(found.json.data.map(({ slug }: { slug: string }) => slug)).toEqual(['about']);
    // A page has neither a date nor neighbours.
    const page = await textAt('/about/');
    expect(page).not.toContain('<time');
    expect(page).not.toContain('/beside/');
  });

  it('a page is listed by the API, which can also leave pages or posts out', async () => {
    const slugs = async (query: string) =>
      (await author.call('GET', `/posts?${query}`)).json.data.map(({ slug }: { slug: string }) => slug);
    expect(await slugs('')).toEqual(['beside', 'about']);
    expect(await slugs('type=page')).toEqual(['about']);
    expect(await slugs('type=post')).toEqual(['beside']);
    const listed = (await author.call('GET', '/posts')).json.data;
    expect(listed[0]).not.toHaveProperty('type');
    expect(listed[1]).toMatchObject({ type: 'page' });
  });

  it('a page has what a post has: drafts, previews, revisions, a schedule', async () => {
    await create({ type: 'page', slug: 'plan', status: 'draft' });
    const preview = await author.call('POST', '/posts/plan/preview');
    expect((await fetch(preview.json.url)).status).toBe(200);
    await update('plan', { title: 'The plan' });
    expect((await author.call('GET', '/posts/plan/revisions')).json.data).toHaveLength(1);
    const scheduled = { scheduled_at: '2099-01-01T00:00:00Z' };
    expect((await author.call('POST', '/posts/plan/schedule', scheduled)).status).toBe(200);
  });

  it.each([
    ['tags', { tags: ['a'] }],
    ['series', { series: { name: 'A' } }],
    ['featured', { featured: true }],
  ])('a page with %s is refused, when created and when changed', async (field, fields) => {
    const message = new RegExp(`^${field}: only for posts, because a page is in no list: leave it out$`);
    expectRefusal(await create({ type: 'page', ...fields }), 400, message);
    expectRefusal(await update('about', fields), 400, message);
  });
});

describe('the front page', () => {
  it('a page can be at the root, with the list at an address of its own', async () => {
    await create({ type: 'page', slug: 'welcome', title: 'Welcome in' });
    const set = await setBlog({ front_page: { page: 'welcome', list: 'writing' } });
    expect(set.json.settings.front_page).toEqual({ page: 'welcome', list: 'writing' });
    const root = await textAt('/');
    expect(root).toContain('Welcome in</h1>');
    expect(root).toMatch(/<link rel="canonical" href="[^"]*\/"/);
    expect(await textAt('/writing/')).toContain('href="/beside/"');
    const old = await read('/welcome/');
    expect(old.status).toBe(301);
    expect(new URL(old.headers.get('location') ?? '').pathname).toBe('/');
    expect(await textAt('/sitemap-others.xml')).toContain('/writing/');
  });

  it('a front page that is renamed stays, and one that is not published leads to the list', async () => {
    const blogUrl = `/blogs/${author.blogId}`;
    const before = await author.call('GET', blogUrl);
    await update('welcome', { slug: 'hello' });
    const after = await author.call('GET', blogUrl);
    expect(after.json.settings.front_page).toEqual({ page: 'hello', list: 'writing' });
    expect(after.json.updated_at > before.json.updated_at).toBe(true);
    const stale = { 'If-Match': before.headers.get('etag') ?? '' };
    expectRefusal(
      await author.call('PUT', blogUrl, { name: 'Other' }, stale),
      412,
      /If-Match names another version/,
    );
    expect(await textAt('/')).toContain('Welcome in</h1>');
    await author.call('POST', '/posts/hello/unpublish', undefined, headers);
    const root = await read('/');
    expect(new URL(root.headers.get('location') ?? '').pathname).toBe('/writing/');
  });

  it('the list keeps its address for itself', async () => {
    expectRefusal(await create({ slug: 'writing' }), 409, /writing.*front_page\.list/);
    expect((await create({ title: 'Writing' })).json.slug).toBe('writing-2');
    expectRefusal(
      await setBlog({ front_page: { page: 'hello', list: 'beside' } }),
      409,
      /^settings\.front_page\.list: .*\/beside\/.*post/,
    );
    expectRefusal(await setBlog({ front_page: { page: 'hello', list: 'tags' } }), 409, /own pages/);
  });

  it('only a page of the blog can be the front page', async () => {
    const message = /^settings\.front_page\.page: the blog has no page/;
    expectRefusal(await setBlog({ front_page: { page: 'nothing', list: 'writing' } }), 400, message);
    const post = /^settings\.front_page\.page: "beside" is a post, and only a page can be the front page/;
    const refused = await setBlog({ front_page: { page: 'beside', list: 'writing' } });
    expectRefusal(refused, 400, post);
    expect(refused.json.errors[0].field).toBe('settings.front_page.page');
    expectRefusal(await setBlog({ front_page: { page: 'hello', list: 'hello' } }), 400, /^settings/);
  });

  it('a front page that is not published is a warning, also for strict requests', async () => {
    const set = (page: string) =>
      author.call(
        'PUT',
        `/blogs/${author.blogId}`,
        { settings: { front_page: { page, list: 'writing' } } },
        { Prefer: 'handling=strict' },
      );
    await create({ type: 'page', slug: 'soon', status: 'draft' });
    expect((await set('soon')).json.warnings).toEqual([
      'settings.front_page.page: `soon` is not published yet: until then the root leads to the list',
    ]);
    await create({ type: 'page', slug: 'shown' });
    expect((await set('shown')).json).not.toHaveProperty('warnings');
  });

  it('null brings the list back to the root', async () => {
    await setBlog({ front_page: null });
    expect(await textAt('/')).toContain('href="/beside/"');
    expect((await read('/writing/')).status).toBe(404);
  });
});

describe('an unlisted post', () => {
  it('an unlisted post is live, and in no list, feed, sitemap or search', async () => {
    await create({ slug: 'quiet', title: 'Quiet osprey', unlisted: true, tags: ['Birds'] });
    const page = await textAt('/quiet/');
    expect(page).toContain('Quiet osprey');
    expect(page).toContain('<meta name="robots" content="noindex"');
    for (const path of [
      '/',
      '/feed.xml',
      '/archive/',
      '/sitemap-1.xml',
      '/search/recent.json',
      '/llms.txt',
    ]) {
      expect(await textAt(path), path).not.toMatch(/quiet/i);
    }
    expect((await read('/tags/birds/')).status).toBe(404);
    expect((await author.call('GET', '/search?q=osprey')).json.data).toEqual([]);
    expect((await author.call('GET', '/posts?tag=Birds')).json.data).toHaveLength(1);
  });

  it('a post can be taken out of lists and put back at its place', async () => {
    const before = await textAt('/');
    await update('beside', { unlisted: true });
    expect(await textAt('/')).not.toContain('href="/beside/"');
    await update('beside', { unlisted: false });
    expect(await textAt('/')).toBe(before);
  });
});

it('a featured post that is unlisted is a warning, also for strict requests', async () => {
  const warnings = ['featured: the post is unlisted, so no list picks it out'];
  expect((await create({ slug: 'hidden', featured: true, unlisted: true })).json.warnings).toEqual(warnings);
  expect((await update('hidden', { title: 'Other' })).json).not.toHaveProperty('warnings');
  expect((await update('hidden', { unlisted: false })).json).not.toHaveProperty('warnings');
  const strict = { Prefer: 'handling=strict' };
  const again = await author.call('PUT', '/posts/hidden', { unlisted: true }, strict);
  expect([again.status, again.json.warnings]).toEqual([200, warnings]);
});

describe('a series', () => {
  it('a series named by punctuation alone is refused', async () => {
    const answer = await create({ series: { name: '!!! ?' } });
    expectRefusal(answer, 400, /^series\.name: must not be punctuation alone$/);
  });

  it('posts of a series link to each other and to its page, in the order of their parts', async () => {
    await create({ slug: 'three', title: 'Three', series: { name: 'Wind & Waves', part: 3 } });
    await create({ slug: 'one', title: 'One', series: { name: 'Wind & Waves', part: 1 } });
    await create({ slug: 'two', title: 'Two', series: { name: 'wind waves', part: 2 } });
    const hrefs = [...(await textAt('/series/wind-waves/')).matchAll(/<h2[^>]*><a href="([^"]+)"/g)];
    expect(hrefs.map(([, href]) => href)).toEqual(['/one/', '/two/', '/three/']);
    const two = await textAt('/two/');
    expect(two).toMatch(/href="\/one\/"[^>]*>\s*<small[^>]*>Previous part/);
    expect(two).toMatch(/href="\/three\/"[^>]*>\s*<small[^>]*>Next part/);
    expect(two).toContain('href="/series/wind-waves/"');
  });

  it('without a part, a post becomes the last part, and keeps its part afterwards', async () => {
    await create({ slug: 'four', series: { name: 'Wind & Waves' } });
    expect((await get('four')).series).toEqual({ name: 'Wind & Waves', part: 4 });
    await update('two', { series: { name: 'Wind & Waves' } });
    expect((await get('two')).series).toEqual({ name: 'Wind & Waves', part: 2 });
    await update('four', { series: null });
    expect((await get('four')).series).toBeNull();
    expect(await textAt('/three/')).not.toContain('Next part');
  });

  it('a part that another post has is a warning that names it', async () => {
    const series = { name: 'Doubled', part: 2 };
    await create({ slug: 'second', series });
    expect((await create({ slug: 'second-too', series })).json.warnings).toEqual([
      'series.part: `second` is part 2, too',
    ]);
    expect((await update('second-too', { series: { name: 'Doubled', part: 3 } })).json).not.toHaveProperty(
      'warnings',
    );
    expect((await update('second-too', { series: { ...series, part: 3 } })).json).not.toHaveProperty(
      'warnings',
    );
  });

  it('a series has at most 100 posts', async () => {
    const posts = Array.from({ length: 97 }, (_, n) => ({
      title: `Part ${n}`,
      content: 'x',
      series: { name: 'Wind & Waves' },
    }));
    const { json } = await author.call('POST', '/posts:batch', { posts });
    expect(json.results.every(({ status }: { status: number }) => status === 201)).toBe(true);
    expectRefusal(await create({ series: { name: 'Wind & Waves' } }), 400, /^series: .*100 posts/);
    // A post that is in it can still change its part.
    expect((await update('one', { series: { name: 'Wind & Waves', part: 9 } })).status).toBe(200);
  });
});

describe('featured posts, originals elsewhere, authors and covers', () => {
  it('the front page picks out featured posts that its list does not reach', async () => {
    await create({ slug: 'picked', featured: true, published_at: '2019-01-01T00:00:00Z' });
    const posts = Array.from({ length: 30 }, (_, n) => ({
      title: `N ${n}`,
      content: 'x',
      status: 'published',
    }));
    await author.call('POST', '/posts:batch', { posts }, headers);
    const picked = /<section class="picked"[\s\S]*?<\/section>/.exec(await textAt('/'))?.[0];
    expect(picked).toContain('href="/picked/"');
    await update('picked', { featured: false });
    expect(await textAt('/')).not.toContain('class="picked"');
  });

  it('a post names its original, which search engines show instead of it', async () => {
    await create({ slug: 'copy', canonical_url: 'https://elsewhere.example/original?a=1&b' });
    const page = await textAt('/copy/');
    expect(page).toContain('<link rel="canonical" href="https://elsewhere.example/original?a=1&amp;b"');
    expect(await textAt('/copy.md')).toContain('canonical_url: "https://elsewhere.example/original?a=1&b"');
    expect(await textAt('/sitemap-1.xml')).not.toContain('/copy/');
    await update('copy', { canonical_url: null });
    expect(await textAt('/sitemap-1.xml')).toContain('/copy/');
  });

  it("a post's author and cover are on its page and in its feeds, over those of the blog", async () => {
    await setBlog({ author: { name: 'The Owner' } });
    const bea = { name: 'Bea', url: 'https://bea.example/', image: 'https://bea.example/bea.jpg' };
    const cover_image = { url: 'https://example.org/cover.jpg', alt: 'A "wide" sea' };
    await create({ slug: 'guest', author: bea, cover_image });
    await create({ slug: 'own' });
    expect(await get('guest')).toMatchObject({ author: bea, cover_image, og_image_url: cover_image.url });
    const guest = await textAt('/guest/');
    expect(guest).toContain('<a href="https://bea.example/" rel="author"');
    expect(guest).toContain('alt="A &quot;wide&quot; sea"');
    expect(guest).toContain('<meta property="og:image" content="https://example.org/cover.jpg"');
    expect(await textAt('/own/')).toContain('The Owner');
    expect(await textAt('/')).toContain('src="https://example.org/cover.jpg"');
    expect(await textAt('/feed.xml')).toContain(
      '<author><name>Bea</name><uri>https://bea.example/</uri></author>',
    );
    expect(await textAt('/rss.xml')).toContain('<dc:creator>Bea</dc:creator>');
    const { items } = JSON.parse(await textAt('/feed.json'));
    const item = items.find(({ url }: { url: string }) => url.endsWith('/guest/'));
    expect(item).toMatchObject({ image: cover_image.url, authors: [{ name: 'Bea', avatar: bea.image }] });
  });

  it('a restored revision has its author, cover and original again', async () => {
    await update('guest', { author: null, cover_image: null, canonical_url: 'https://elsewhere.example/' });
    expect(await get('guest')).toMatchObject({ author: null, cover_image: null });
    const { data } = (await author.call('GET', '/posts/guest/revisions')).json;
    const restored = await author.call('POST', `/posts/guest/revisions/${data[0].id}/restore`);
    expect(restored.json).toMatchObject({
      author: { name: 'Bea' },
      cover_image: { url: 'https://example.org/cover.jpg' },
      canonical_url: null,
    });
  });
});

describe('the language of a post', () => {
  const htmlTag = async (path: string) => /<html[^>]*>/.exec(await textAt(path))?.[0];

  it('a post has the language that it states, on its page, in lists, in feeds and for machines', async () => {
    await create({ slug: 'good-day' });
    const { json } = await create({ slug: 'bonjour', language: 'FR-ca', translations: { en: 'good-day' } });
    expect(json.warnings).toBeUndefined();
    expect(await get('bonjour')).toMatchObject({ language: 'fr-CA' });
    const page = await textAt('/bonjour/');
    expect(page).toContain('<html lang="fr-CA" dir="ltr">');
    expect(page).toContain('"inLanguage":"fr-CA"');
    expect(page).toContain('hreflang="fr-CA"');
    expect(page).toMatch(/class="meta translations">\s*<bdi>Lire aussi/);
    expect(await textAt('/')).toContain('<article class="entry" lang="fr-CA" dir="ltr">');
    const { items } = JSON.parse(await textAt('/feed.json'));
    expect(items.find(({ url }: { url: string }) => url.endsWith('/bonjour/')).language).toBe('fr-CA');
    expect(await textAt('/bonjour.md')).toContain('\nlanguage: "fr-CA"\n');
    expect(JSON.parse(await textAt('/search/recent.json')).posts[0].language).toBe('fr-CA');
  });

  it('the language counts before the script, and null detects it again', async () => {
    await create({ slug: 'farsi', content: 'سلام دنیا', language: 'fa' });
    expect(await htmlTag('/farsi/')).toBe('<html lang="fa" dir="rtl">');
    await update('farsi', { language: null });
    expect(await htmlTag('/farsi/')).toBe('<html lang="ar" dir="rtl">');
    const { data } = (await author.call('GET', '/posts/farsi/revisions')).json;
    const revision = await author.call('GET', `/posts/farsi/revisions/${data[0].id}`);
    expect(revision.json.language).toBe('fa');
    const restored = await author.call(
      'POST',
      `/posts/farsi/revisions/${data[0].id}/restore`,
      undefined,
      headers,
    );
    expect(restored.json.language).toBe('fa');
    expect(await htmlTag('/farsi/')).toBe('<html lang="fa" dir="rtl">');
  });

  it('a post that names itself among its translations states its language, also at another slug', async () => {
    await create({ slug: 'hallo', translations: { de: 'hallo' } });
    expect(await get('hallo')).toMatchObject({ language: null });
    expect(await htmlTag('/hallo/')).toBe('<html lang="de" dir="ltr">');
    await update('hallo', { slug: 'hallo-welt' });
    expect(await get('hallo-welt')).toMatchObject({ translations: { de: 'hallo-welt' } });
    expect(await htmlTag('/hallo-welt/')).toBe('<html lang="de" dir="ltr">');
    await update('hallo-welt', { language: 'nl' });
    expect(await htmlTag('/hallo-welt/')).toBe('<html lang="nl" dir="ltr">');
  });

  it('a language that nobody knows is a warning, and an error for strict requests', async () => {
    const language = 'language: is no language tag that is known: did you mean `en`?';
    expect((await create({ language: 'english' })).json.warnings).toEqual([language]);
    const translations = { german: 'https://example.org/' };
    const { json } = await author.call('PUT', '/posts/hallo-welt', { translations });
    expect(json.warnings).toEqual([
      'translations.german: is no language tag that is known: did you mean `de`?',
    ]);
    const strict = { Prefer: 'handling=strict' };
    expectRefusal(
      await author.call('PUT', '/posts/hallo-welt', { language: 'xx' }, strict),
      400,
      /^language: /,
    );
    expect((await setBlog({ language: 'english' })).json.warnings[0]).toMatch(/^settings\.language: .*`en`/);
    await setBlog({ language: null });
  });

  it('a translation without a post is a warning, also for strict requests: one of two comes first', async () => {
    const strict = { Prefer: 'handling=strict' };
    const post = {
      title: 'T',
      content: 'x',
      slug: 'uno',
      translations: { pt: 'um', en: 'https://example.org/' },
    };
    const first = await author.call('POST', '/posts', post, strict);
    expect([first.status, first.json.warnings]).toEqual([
      201,
      ['translations.pt: the blog has no post `um` yet'],
    ]);
    const second = await create({ slug: 'um', translations: { es: 'uno' } });
    expect(second.json.warnings).toEqual(['translations.es: `uno` is not published yet']);
    await author.call('POST', '/posts/uno/publish');
    const itself = await create({ slug: 'ich', status: 'draft', translations: { de: 'ich' } });
    expect(itself.json).not.toHaveProperty('warnings');
    const third = await create({ slug: 'ett', translations: { es: 'uno', pt: 'um' } });
    expect(third.json).not.toHaveProperty('warnings');
  });

  it('what is no language tag is refused', async () => {
    expectRefusal(await create({ language: 'no tag' }), 400, /^language: must be a language tag/);
  });
});

describe('limits', () => {
  const address = (length: number) => `https://example.org/${'i'.repeat(length - 20)}`;
  it.each<[string, object, object, RegExp]>([
    [
      '100 characters of series',
      { series: { name: 's'.repeat(100) } },
      { series: { name: 's'.repeat(101) } },
      /^series\.name: .*100/,
    ],
    [
      'part 10000',
      { series: { name: 'L', part: 10_000 } },
      { series: { name: 'L', part: 10_001 } },
      /^series\.part: .*10000/,
    ],
    [
      'part 1',
      { series: { name: 'L', part: 1 } },
      { series: { name: 'L', part: 0 } },
      /^series\.part: .*1 or more/,
    ],
    [
      '100 characters of author',
      { author: { name: 'a'.repeat(100) } },
      { author: { name: 'a'.repeat(101) } },
      /^author\.name: .*100/,
    ],
    [
      '2048 characters of original',
      { canonical_url: address(2048) },
      { canonical_url: address(2049) },
      /^canonical_url: .*2048/,
    ],
    [
      '2048 characters of cover',
      { cover_image: { url: address(2048) } },
      { cover_image: { url: address(2049) } },
      /^cover_image\.url: .*2048/,
    ],
    [
      '500 characters about a cover',
      { cover_image: { url: address(30), alt: 'a'.repeat(500) } },
      { cover_image: { url: address(30), alt: 'a'.repeat(501) } },
      /^cover_image\.alt: .*500/,
    ],
  ])('a post may have %s and no more', async (_what, most, tooMuch, message) => {
    expectRefusal(await create({ status: 'draft', ...tooMuch }), 400, message);
    expect((await create({ status: 'draft', ...most })).status).toBe(201);
  });

  it.each(['javascript:alert(1)', 'ftp://example.org/', '/relative'])('%s is no address', async (url) => {
    expectRefusal(await create({ canonical_url: url }), 400, /^canonical_url: must be an http or https/);
    expectRefusal(await create({ cover_image: { url } }), 400, /^cover_image\.url: must be/);
    expectRefusal(await create({ author: { name: 'A', image: url } }), 400, /^author\.image: must be/);
  });
});
