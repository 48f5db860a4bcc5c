// Slow: starts a server, and runs hostile layouts until they exceed their time.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TierName } from '../../../../server/tiers/tier.ts';
import { type Author, newAuthor } from '../../../support/author.ts';
import { expectRefusal } from '../../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../../support/platen.ts';
import { readEdge } from '../../../support/site-builder.ts';

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen, 'scale');
  await author.post({ title: 'Moving <on>', slug: 'a-post', tags: ['ink'] });
  await author.post({ slug: 'old-post' });
  await author.call('PUT', '/posts/old-post', { slug: 'new-post' }, { Prefer: 'wait=60' });
});
afterAll(() => platen.close());

const layout = '<div class="own">{{ page.kind }}: {{ page.title }}\n{{ content }}</div>';
const save = (value: unknown, of = author) =>
  of.call('PUT', `/blogs/${of.blogId}`, { theme_config: { layout: value } }, { Prefer: 'wait=60' });
const preview = (body: object, of = author) => of.call('POST', `/blogs/${of.blogId}/theme/preview`, body);

/** Wrong layouts, with the message for each. */
const wrong: readonly (readonly [string, RegExp])[] = [
  [
    '\n\n    {{ post.title | foo }}{{ content }}',
    /^LAYOUT: line 3, column 5: undefined filter: foo \(on|^LAYOUT: line 3, column 5: undefined filter: foo$/,
  ],
  ['a\n{% foo %}{{ content }}', /^LAYOUT: line 2, column 1: undefined tag: foo$/],
  ["{% include '/etc/passwd' %}{{ content }}", /^LAYOUT: line 1, column 1: undefined tag: include$/],
  ['{% if post %}{{ content }}', /^LAYOUT: line 1, column 1: tag .* not closed$/],
  ['<p>Nothing</p>', /^LAYOUT: does not print \{\{ content \}\}/],
  ['{% if post %}{{ content }}{% endif %}', /^LAYOUT: does not print .* \(on a page of kind "front"\)$/],
  ['<!-- {{ content }} -->', /^LAYOUT: .*where it cannot be shown/],
  ['{{ content }}<div>', /^LAYOUT: .*not closed/],
  ['{% for i in (1..100000000) %}{% endfor %}{{ content }}', /^LAYOUT: line 1, column 1: makes too much/],
  [`${'{% for i in (1..99) %}'.repeat(4)}${'{% endfor %}'.repeat(4)}{{ content }}`, /^LAYOUT: .*10000 steps/],
  [
    `{% assign a = (1..200000) %}${'{% assign b = a | find: "x", "y" %}'.repeat(1_000)}{{ content }}`,
    /^LAYOUT: takes too long$/,
  ],
  [`{{ content }}${'x'.repeat(65_536)}`, /^LAYOUT: must be at most 65536 bytes$/],
  ['{{ content }}\0', /^LAYOUT: .*NUL/],
];
const saying = (field: string, { source }: RegExp) => new RegExp(source.replaceAll('LAYOUT', field));

describe('the layout of a blog', () => {
  it.each(wrong)('an unusable layout is refused and not stored: %.60j', async (text, message) => {
    expectRefusal(await save(text), 400, saying('theme_config\\.layout', message));
    const { json } = await author.call('GET', `/blogs/${author.blogId}`);
    expect(json.theme_config).toEqual({});
  });

  it('a layout that reads what does not exist is saved with a warning, and refused by a strict request', async () => {
    const wrong = '<b>\n  {{ post.titel }}</b>{{ content }}';
    const warning = 'line 2, column 6: `post.titel` does not exist: did you mean `post.title`?';
    const saved = await save(wrong);
    expect([saved.status, saved.json.warnings]).toEqual([200, [`theme_config.layout: ${warning}`]]);
    expect((await preview({ layout: wrong })).json.warnings).toEqual([`layout: ${warning}`]);
    await save(null);
    const strict = { Prefer: 'handling=strict' };
    const path = `/blogs/${author.blogId}`;
    const refused = await author.call('PUT', path, { theme_config: { layout: wrong } }, strict);
    expectRefusal(refused, 400, /^theme_config\.layout: line 2, column 6: `post\.titel` does not exist/);
    expect((await author.call('GET', path)).json.theme_config).toEqual({});
    const unseen = await author.call('POST', `${path}/theme/preview`, { layout: wrong }, strict);
    expectRefusal(unseen, 400, /^layout: line 2, column 6: /);
  });

  it('a layout surrounds every page but redirects until it is removed', async () => {
    const { status, json } = await save(layout);
    expect([status, json.theme_config]).toEqual([200, { layout }]);
    const heads: Record<string, string> = {
      '/': `front: Blog`,
      '/a-post/': 'post: Moving &lt;on&gt;',
      '/tags/ink/': 'tag: #ink',
      '/tags/': 'tags: Tags',
      '/archive/': 'archive: Archive',
      '/search/': 'search: Search',
      '/nowhere/': 'not-found: This page is not here',
    };
    for (const [path, text] of Object.entries(heads)) {
      const page = await platen.read(author.blogSlug, path);
      expect(page.text, path).toContain(`<div class="own">${text}`);
      expect(page.text, path).toMatch(/<main id="Content" tabindex="-1">.*<\/main><\/div>/s);
      expect(page.text, path).not.toContain('class="masthead"');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    const moved = readEdge(`${platen.dataDir}/edge`, author.blogSlug).get('old-post/index.html');
    expect(moved).toContain('http-equiv="refresh"');
    expect(moved).not.toContain('class="own"');
    const draft = await author.post({ slug: 'a-draft', status: 'draft' });
    const { url } = (await author.call('POST', `/posts/${draft.slug}/preview`, {})).json;
    expect(await (await fetch(url)).text()).not.toContain('class="own"');

    expect((await save(null)).json.theme_config).toEqual({});
    expect((await platen.read(author.blogSlug, '/')).text).toContain('class="masthead"');
  });

  it('a layout also surrounds posts that are written later', async () => {
    await save('{% if post %}<b>{{ post.tags.size }} tags</b>{% endif %}{{ content }}');
    await author.post({ slug: 'later', tags: ['a', 'b'] }, { Prefer: 'wait=60' });
    expect((await platen.read(author.blogSlug, '/later/')).text).toContain('<b>2 tags</b>');
    await save(null);
  });

  it('a layout may have up to 65,536 bytes', async () => {
    const most = `{{ content }}${'é'.repeat(32_761)}x`;
    expect(Buffer.byteLength(most)).toBe(65_536);
    expect((await save(most)).json.theme_config).toEqual({ layout: most });
    expectRefusal(await save(`${most}.`), 400, /65536 bytes/);
    await save(null);
  });

  it('a layout with a script gets the open policy', async () => {
    await save('<script>own = 1</script>{{ content }}');
    const { headers } = await platen.read(author.blogSlug, '/');
    expect(headers.get('content-security-policy')).toContain("'unsafe-inline'");
    await save(null);
  });

  it.each<[TierName, boolean]>([
    ['free', false],
    ['starter', false],
    ['creator', false],
    ['scale', true],
    ['enterprise', true],
  ])('the %s plan includes layouts: %s', async (tier, allowed) => {
    const owner = await newAuthor(platen, tier);
    const answers = [await save(layout, owner), await preview({ layout }, owner)];
    for (const answer of answers) {
      if (allowed) expect(answer.status).toBe(200);
      else expectRefusal(answer, 403, new RegExp(`${tier} plan .*theme_config\\.layout`), ['upgrade_url']);
    }
    // A client whose plan has no layouts gets no errors about one.
    if (!allowed) expectRefusal(await save('{{', owner), 403, /plan/, ['upgrade_url']);
    expect((await save(null, owner)).status).toBe(200);
  });

  it('a layout is removed when the account moves to a plan without layouts', async () => {
    const owner = await newAuthor(platen, 'scale');
    await save(layout, owner);
    const isOwn = async () => (await platen.read(owner.blogSlug, '/')).text.includes('class="own"');
    expect(await isOwn()).toBe(true);
    const { email } = (await owner.call('GET', '/account/profile')).json;
    await platen.services.accounts.setTier(email, 'creator');
    await expect.poll(isOwn).toBe(false);
  });
});

describe('the preview of a layout', () => {
  it('a preview shows a page of the blog in the layout, and stores nothing', async () => {
    const front = await preview({ layout });
    expect(front.status).toBe(200);
    expect(front.headers.get('content-type')).toMatch(/^application\/json/);
    expect(front.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Object.keys(front.json)).toEqual(['html', 'url', 'expires_at']);
    expect(front.json.html).toMatch(
      /^<!doctype html>.*<div class="own">front: Blog .*<main id="Content".*<\/html>$/s,
    );
    expect((await platen.read(author.blogSlug, '/')).text).not.toContain('class="own"');
  });

  it.each([
    ['/', 'front: Blog'],
    ['a-post', 'post: Moving &lt;on&gt;'],
    ['/a-post/', 'post: Moving &lt;on&gt;'],
    ['/a-post/index.html', 'post: Moving &lt;on&gt;'],
    ['/tags/ink/', 'tag: #ink'],
    ['/archive/', 'archive: Archive'],
    ['/404.html', 'not-found: This page is not here'],
  ])('a preview of a layout shows the page %s', async (page, text) => {
    expect((await preview({ layout, page })).json.html).toContain(`<div class="own">${text}`);
  });

  it.each(['nowhere', 'old-post', '/feed.xml', '_headers', '../a-post', '%zz'])(
    'a preview of a layout finds no page at %s',
    async (page) => {
      expectRefusal(await preview({ layout, page }), 404, /^page: no page of the blog/);
    },
  );

  it('a preview equals the page that is built once the layout is saved', async () => {
    const text = '<header>{{ blog.name }}</header>{{ content }}<footer>{{ post.date | date: "%Y" }}</footer>';
    const { html } = (await preview({ layout: text, page: 'a-post' })).json;
    await save(text);
    expect((await platen.read(author.blogSlug, '/a-post/')).text).toBe(html);
    await save(null);
  });

  it('the link of a preview shows people the blog in the layout, without scripts', async () => {
    const own = `${layout}<a class="next" href='/tags/ink/'>x</a><script>own()</script>`;
    const { url, expires_at: end } = (await preview({ layout: own, page: 'a-post' })).json;
    expect(url).toMatch(new RegExp(`^${platen.origin}/preview/layouts/[\\w-]{32}/a-post/$`));
    expect(Date.parse(end) - Date.now()).toBeLessThanOrEqual(3_600_000);
    const page = await fetch(url);
    const text = await page.text();
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*; sandbox allow-popups/);
    expect(page.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(text).toMatch(/<body><aside [^>]*>Preview: .*<div class="own">post: Moving &lt;on&gt;/s);
    expect(text).not.toContain('<script');
    const [, next = ''] = /class="next" href="([^"]+)"/.exec(text) ?? [];
    expect(await (await fetch(next)).text()).toContain('<div class="own">tag: #ink');
    expect((await fetch(url.replace('a-post', 'old-post'))).url).toBe(url.replace('a-post', 'new-post'));
    for (const gone of [
      url.replace('a-post', 'nowhere'),
      url.replace(/layouts\/./, 'layouts/'),
      `${url}index.md`,
    ]) {
      expect((await fetch(gone)).status, gone).toBe(404);
    }
    const html = await fetch(url.replace('a-post', 'nowhere'), { headers: { Accept: 'text/html' } });
    expect([html.status, html.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it('the preview of a blog whose root is a page shows that page with the newest posts', async () => {
    const owner = await newAuthor(platen, 'scale');
    await owner.post({ slug: 'home', title: 'Home', type: 'page' });
    await owner.post({ slug: 'news', title: 'News' });
    const settings = { front_page: { page: 'home', list: 'all' } };
    await owner.call('PUT', `/blogs/${owner.blogId}`, { settings }, { Prefer: 'wait=60' });
    const listing = '{{ page.title }}:{% for p in newest %} {{ p.title }}{% endfor %}{{ content }}';
    expect((await preview({ layout: listing }, owner)).json.html).toContain('Home: News');
    // Without the page, the root redirects to the list, which the preview then shows.
    await owner.call('POST', '/posts/home/unpublish', undefined, { Prefer: 'wait=60' });
    const { html, url } = (await preview({ layout: listing }, owner)).json;
    expect(html).toContain('News');
    expect(url).toMatch(/\/all\/$/);
    expectRefusal(await preview({ layout: listing, page: 'home' }, owner), 404, /^page: no page of the blog/);
  });

  it.each(wrong)('a preview reports the errors of a layout: %.60j', async (text, message) => {
    expectRefusal(await preview({ layout: text }), 400, saying('layout', message));
  });

  it('a preview is limited to blogs that the key opens', async () => {
    const stranger = await newAuthor(platen);
    const answer = await stranger.call('POST', `/blogs/${author.blogId}/theme/preview`, { layout });
    expectRefusal(answer, 404, /^blog not found$/);
    expectRefusal(await preview({}), 400, /^layout: is missing/);
  });

  it('a hostile layout in a preview delays no other request', async () => {
    const hostile = `{% assign a = (1..200000) %}${'{% assign b = a | find: "x", "y" %}'.repeat(1_000)}{{ content }}`;
    let isTried = true;
    const trial = preview({ layout: hostile }).finally(() => {
      isTried = false;
    });
    let answers = 0;
    while (isTried) {
      expect((await author.call('GET', '/posts/a-post')).status).toBe(200);
      answers += 1;
    }
    // The first of them may have been answered before the preview began.
    expect(answers).toBeGreaterThan(2);
    expectRefusal(await trial, 400, /takes too long/);
  });
});
