// Slow: starts a server and has Chromium parse every feed and sitemap of several blogs.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { offencesOfAtom, offencesOfJsonFeed, offencesOfRss } from '../support/feed-rules.ts';
import { everyElement } from '../support/hostile-dom.ts';
import { parseAll } from '../support/hostile-twin.ts';
import { startTestPlaten, type TestPlaten } from '../support/platen.ts';
import { elements, parseXml, textOf, type XmlElement } from '../support/xml.ts';

let platen: TestPlaten;
let browser: Browser;
let page: Page;
/** Origin of the blog's host. */
let origin: string;
beforeAll(async () => {
  [platen, browser] = await Promise.all([startTestPlaten(), openBrowser()]);
  page = await browser.newPage();
  await platen.call('POST', '/blogs', {
    slug: 'hostile',
    name: 'Ink & <Paper> ]]>',
    description: 'One\n<two> & "three"',
  });
  const blogs = (await platen.call('GET', '/blogs')).json.data;
  const blogId = blogs.find(({ slug }: { slug: string }) => slug === 'hostile').id;
  for (const post of hostile) {
    const headers = { 'X-Blog-Id': blogId, Prefer: 'wait=60' };
    const created = await platen.call('POST', '/posts', { ...post, status: 'published' }, { headers });
    expect([created.status, created.headers.get('preference-applied')]).toEqual([201, 'wait=60']);
    origin = new URL(created.json.url).origin;
  }
});
afterAll(async () => {
  await browser.close();
  await platen.close();
});

const hostile = [
  { title: 'Plain', content: 'Plain *text*.', tags: ['ink'] },
  { title: '<b>bold</b> & ]]> "quoted" &amp; 日本 😀', content: 'x', tags: [] },
  { title: 'Sections', content: 'A `]]>` and <span title="]]>">more</span> <![CDATA[x]]>', tags: ['ink'] },
  {
    title: 'Controls',
    content: 'a\u0001b\u001b[31mc &#x1b; &#xffff; \u000c \ufffe\n\n```\n\u0007\n```\n',
    tags: ['日本'],
  },
  { title: 'Tagged', content: 'x', tags: ['a<b', 'c & "d"', "e'>f", 'C++'] },
  {
    title: 'Rich',
    slug: 'rich',
    content: [
      '# [Within](#within), [[toc]]\n\n[Beside](../plain/) [from the root](/plain/?a=b&c) [far](//e.example/a)[^1]\n\n[[toc]]',
      '![picture](picture.png "a \\"title\\" href=/x") <img src="/a.png" srcset="/b.png 2x, c.png 3x" alt="more">',
      'https://youtu.be/dQw4w9WgXcQ',
      '```ts showLineNumbers title="a.ts"\nconst a = "<b>";\n```',
      '```mermaid\ngraph TD\n  A --> B\n```',
      '<blockquote cite="/plain/">$a^2$</blockquote>\n\n| a |\n|---|\n| - |\n\n- [ ] task\n\n[^1]: A note.',
    ].join('\n\n'),
    tags: ['ink', '日本'],
  },
];

const addressOf = (path: string) => `${origin}${path}`;
const readXml = async (path: string) => parseXml(browser, (await platen.read('hostile', path)).text);
const readJson = async (path: string) => JSON.parse((await platen.read('hostile', path)).text);

async function entry(title: string): Promise<XmlElement> {
  const entries = elements(await readXml('/feed.xml'), 'entry');
  return entries.find((found) => textOf(found, 'title') === title) ?? expect.fail(`no entry ${title}`);
}

async function item(title: string): Promise<XmlElement> {
  const items = elements(await readXml('/rss.xml'), 'item');
  return items.find((found) => textOf(found, 'title') === title) ?? expect.fail(`no item ${title}`);
}

const folders = ['/', '/tags/ink/', `/tags/${encodeURIComponent('日本')}/`, '/tags/c-plus-plus/'];

describe.each(folders)('the feeds at %s', (folder) => {
  it('the Atom feed follows every rule of Atom', async () => {
    const path = `${folder}feed.xml`;
    expect(offencesOfAtom(await readXml(path), addressOf(path))).toEqual([]);
  });

  it('the RSS feed follows every rule of RSS', async () => {
    const path = `${folder}rss.xml`;
    expect(offencesOfRss(await readXml(path), addressOf(path))).toEqual([]);
  });

  it('the JSON feed follows every rule of JSON Feed', async () => {
    const path = `${folder}feed.json`;
    expect(offencesOfJsonFeed(await readJson(path), addressOf(path))).toEqual([]);
  });

  it('the three feeds hold the same posts with the same bodies', async () => {
    const [atom, rss, json] = await Promise.all([
      readXml(`${folder}feed.xml`),
      readXml(`${folder}rss.xml`),
      readJson(`${folder}feed.json`),
    ]);
    const inAtom = elements(atom, 'entry').map((found) => [textOf(found, 'id'), textOf(found, 'content')]);
    expect(
      elements(rss, 'item').map((found) => [textOf(found, 'guid'), textOf(found, 'content:encoded')]),
    ).toEqual(inAtom);
    // JSON can hold characters that XML cannot.
    const asInXml = (text: string) => text.replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '');
    expect(
      json.items.map((found: Record<string, string>) => [found.id, asInXml(found.content_html ?? '')]),
    ).toEqual(inAtom);
    const expected = hostile.filter(({ tags }) => {
      const tag = decodeURIComponent(folder.split('/')[2] ?? '');
      return tag === '' || tags.includes(tag === 'c-plus-plus' ? 'C++' : tag);
    });
    expect(inAtom).toHaveLength(expected.length);
  });
});

describe('a feed of hostile posts', () => {
  it('a feed holds every hostile post and keeps its own blog name', async () => {
    for (const [path, name] of [
      ['/feed.xml', 'entry'],
      ['/rss.xml', 'item'],
    ] as const) {
      const feed = await readXml(path);
      expect(elements(feed, name)).toHaveLength(hostile.length);
      expect(textOf(feed, 'title')).toBe('Ink & <Paper> ]]>');
    }
    expect((await readJson('/feed.json')).title).toBe('Ink & <Paper> ]]>');
  });

  it('hostile titles in a feed read as written, as HTML and as text', async () => {
    const titles = async (path: string) => elements(await readXml(path), 'title').map(({ text }) => text);
    expect(await titles('/feed.xml')).toContain(
      '&lt;b&gt;bold&lt;/b&gt; &amp; ]]&gt; &quot;quoted&quot; &amp;amp; 日本 😀',
    );
    expect(await titles('/rss.xml')).toContain(hostile[1]?.title);
    expect((await readJson('/feed.json')).items[4].title).toBe(hostile[1]?.title);
  });

  it('the bodies of hostile posts in a feed equal those on their pages', async () => {
    expect(textOf(await entry('Plain'), 'content')).toBe('<p>Plain <em>text</em>.</p>\n');
    expect(textOf(await entry('Sections'), 'content')).toContain('<code>]]&gt;</code>');
    expect(textOf(await entry('Controls'), 'content')).toContain('ab[31mc');
    expect(textOf(await item('Sections'), 'content:encoded')).toContain('<code>]]&gt;</code>');
  });

  it('hostile tags in a feed read as written', async () => {
    const terms = elements(await entry('Tagged'), 'category').map(({ attributes }) => attributes.term);
    expect(terms).toEqual(['a<b', 'c & "d"', "e'>f", 'C++']);
    expect(elements(await item('Tagged'), 'category').map(({ text }) => text)).toEqual(terms);
  });
});

describe('the body of a post in a feed', () => {
  const urlsIn = (name: string, value: string): string[] =>
    name === 'srcset' ? value.split(/,\s+/).map((one) => one.split(' ')[0] ?? '') : [value];

  it('every link in a feed body has an absolute address, as a browser resolves it', async () => {
    const bodies = elements(await readXml('/feed.xml'), 'content').map(({ text }) => text);
    const trees = await parseAll(page, bodies, 'text/html');
    const addresses = trees
      .flatMap((tree) => [...everyElement(tree)])
      .flatMap(({ element }) => Object.entries(element.attributes))
      .filter(([name]) => ['href', 'src', 'cite', 'srcset'].includes(name))
      .flatMap(([name, value]) => urlsIn(name, value));
    expect(addresses.filter((address) => !/^https?:\/\/[^/]/.test(address))).toEqual([]);
    const at = (path: string) => addressOf(`/rich/${path}`);
    expect(addresses).toEqual(
      expect.arrayContaining([
        ...[at('#within'), at('#fn-1'), at('#fnref-1'), at('picture.png'), at('c.png')],
        ...[addressOf('/plain/'), addressOf('/plain/?a=b&c'), addressOf('/a.png'), addressOf('/b.png')],
        ...['http://e.example/a', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'],
      ]),
    );
  });

  it('a feed body contains nothing that only makes sense on a page', async () => {
    const body = textOf(await entry('Rich'), 'content') ?? '';
    const [tree] = await parseAll(page, [body], 'text/html');
    const all = [...everyElement(tree ?? expect.fail('not read'))].map(({ element }) => element);
    expect(all.filter(({ name }) => ['iframe', 'script', 'button', 'style'].includes(name))).toEqual([]);
    const attributes = all.flatMap((element) => Object.keys(element.attributes));
    expect(attributes.filter((name) => /^(?:tabindex|loading|decoding|on.*)$/.test(name))).toEqual([]);
    expect(body).not.toContain('class="anchor"');
    expect(body).not.toContain('hljs');
    expect(body).toContain(
      '<figcaption>a.ts</figcaption><pre><code class="language-ts">const a = &quot;&lt;b&gt;&quot;;',
    );
  });
});

describe('the feed rules', () => {
  const broken = async (path: string, from: string | RegExp, to: string) => {
    const { text } = await platen.read('hostile', path);
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    if (path.endsWith('.json')) return offencesOfJsonFeed(JSON.parse(changed), addressOf(path));
    const check = path === '/rss.xml' ? offencesOfRss : offencesOfAtom;
    return check(await parseXml(browser, changed), addressOf(path));
  };

  it.each([
    ['/feed.xml', /<updated>.*?<\/updated>/, ''],
    ['/feed.xml', /<updated>.*?<\/updated>/, '<updated>2026-01-01</updated>'],
    ['/feed.xml', /<entry>\n<id>.*?<\/id>/s, '<entry>\n<id>urn:uuid:1</id>'],
    ['/feed.xml', /<title type="html">.*?<\/title>/, ''],
    ['/feed.xml', 'rel="self"', 'rel="alternate"'],
    ['/feed.xml', /<link rel="alternate" type="text\/html" href="[^"]*"/, '<link rel="alternate" href="/"'],
    ['/feed.xml', '</entry>', '<extra/></entry>'],
    ['/rss.xml', /<description>.*?<\/description>/s, ''],
    ['/rss.xml', /<pubDate>.*?<\/pubDate>/, '<pubDate>2026-01-01T00:00:00Z</pubDate>'],
    ['/rss.xml', 'isPermaLink="false"', ''],
    ['/rss.xml', /<language>.*?<\/language>/, '<language/>'],
    ['/rss.xml', 'rss.xml', 'feed.xml'],
    ['/feed.json', '/version/1.1', '/version/1'],
    ['/feed.json', '"title"', '"titel"'],
    ['/feed.json', /"date_published":"[^"]*"/, '"date_published":"yesterday"'],
    ['/feed.json', /"id":"[^"]*"/, '"id":7'],
  ])('the feed rules report a fault in %s if they do not find %s', async (path, from, to) => {
    expect(await broken(path, from, to)).not.toEqual([]);
  });
});

it('the sitemaps are well-formed and list every post', async () => {
  const read = async (url: string) =>
    parseXml(browser, (await platen.read('hostile', new URL(url).pathname)).text);
  const index = await read('http://x/sitemap.xml');
  expect(index.attributes.xmlns).toBe('http://www.sitemaps.org/schemas/sitemap/0.9');
  const sitemaps = await Promise.all(elements(index, 'loc').map(({ text }) => read(text)));
  const urls = sitemaps.flatMap((sitemap) => elements(sitemap, 'loc').map(({ text }) => text));
  expect(urls).toHaveLength(hostile.length + 1);
  for (const url of urls) expect((await platen.read('hostile', new URL(url).pathname)).status).toBe(200);
});

it.each(['feed.xml', 'rss.xml'])(
  'a browser shows %s as a page: what it is, and its entries',
  async (feed) => {
    await page.goto(`${origin}/${feed}`);
    const shown = await page.evaluate(`(() => {
      const all = (selector) => [...document.querySelectorAll(selector)];
      const isHidden = (element) => getComputedStyle(element).display === 'none';
      return {
        sentence: getComputedStyle(document.querySelector('feed, channel'), '::before').content,
        titles: all(':is(entry, item) > title').filter((title) => !isHidden(title)).length,
        links: all(':is(entry, item) > link').filter((link) => !isHidden(link)).length,
        others: all(':is(entry, item) > :not(title, link, summary, description)').every(isHidden),
      };
    })()`);
    expect(shown).toEqual({
      sentence: expect.stringContaining('This is a web feed'),
      titles: hostile.length,
      links: hostile.length,
      others: true,
    });
  },
);
