import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { startTestPlaten, type TestPlaten } from '../support/platen.ts';
import { elements, parseXml, textOf, type XmlElement } from '../support/xml.ts';

let platen: TestPlaten;
let browser: Browser;
let feedXml: string;
beforeAll(async () => {
  [platen, browser] = await Promise.all([startTestPlaten(), openBrowser()]);
  await platen.call('POST', '/blogs', {
    slug: 'hostile',
    name: 'Ink & <Paper> ]]>',
    description: 'One\n<two> & "three"',
  });
  const blogs = (await platen.call('GET', '/blogs')).json.data;
  const blogId = blogs.find(({ slug }: { slug: string }) => slug === 'hostile').id;
  for (const post of hostile) {
    const headers = { 'X-Blog-Id': blogId, Prefer: 'wait=20' };
    const created = await platen.call('POST', '/posts', { ...post, status: 'published' }, { headers });
    expect([created.status, created.headers.get('preference-applied')]).toEqual([201, 'wait=20']);
  }
  feedXml = (await platen.read('hostile', '/feed.xml')).text;
}, 120_000);
afterAll(async () => {
  await browser.close();
  await platen.close();
});

const hostile = [
  { title: 'Plain', content: 'Plain *text*.', tags: ['ink'] },
  { title: '<b>bold</b> & ]]> "quoted" &amp; 日本 😀', content: 'x', tags: [] },
  { title: 'Sections', content: 'A `]]>` and <span title="]]>">more</span> <![CDATA[x]]>', tags: [] },
  {
    title: 'Controls',
    content: 'a\u0001b\u001b[31mc &#x1b; &#xffff; \u000c \ufffe\n\n```\n\u0007\n```\n',
    tags: [],
  },
  { title: 'Tagged', content: 'x', tags: ['a<b', 'c & "d"', "e'>f", 'C++'] },
];

const readFeed = () => parseXml(browser, feedXml);

async function entry(title: string): Promise<XmlElement> {
  const entries = elements(await readFeed(), 'entry');
  return entries.find((found) => textOf(found, 'title') === title) ?? expect.fail(`no entry ${title}`);
}

describe('a feed of hostile posts', () => {
  it('is well-formed, and has them all', async () => {
    const feed = await readFeed();
    expect([feed.name, feed.attributes.xmlns]).toEqual(['feed', 'http://www.w3.org/2005/Atom']);
    expect(elements(feed, 'entry')).toHaveLength(hostile.length);
    const own = feed.children.filter(({ name }) => name !== 'entry');
    expect(own.find(({ name }) => name === 'title')?.text).toBe('Ink & <Paper> ]]>');
  });

  it('has titles that read as they were written, as HTML', async () => {
    const title = elements(await readFeed(), 'title').map(({ text }) => text);
    expect(title).toContain('&lt;b&gt;bold&lt;/b&gt; &amp; ]]&gt; "quoted" &amp;amp; 日本 😀');
  });

  it('has bodies that hold what the pages hold', async () => {
    expect(textOf(await entry('Plain'), 'content')).toBe('<p>Plain <em>text</em>.</p>\n');
    expect(textOf(await entry('Sections'), 'content')).toContain('<code>]]&gt;</code>');
    expect(textOf(await entry('Controls'), 'content')).toContain('ab[31mc');
  });

  it('has tags as they were written', async () => {
    const terms = elements(await entry('Tagged'), 'category').map(({ attributes }) => attributes.term);
    expect(terms).toEqual(['a<b', 'c & "d"', "e'>f", 'C++']);
  });

  it('has what RFC 4287 asks of a feed and of each entry', async () => {
    const feed = await readFeed();
    for (const element of [feed, ...elements(feed, 'entry')]) {
      const names = element.children.map(({ name }) => name);
      for (const name of ['id', 'title', 'updated'])
        expect(names.filter((own) => own === name)).toEqual([name]);
      expect(Date.parse(textOf(element, 'updated') ?? '')).not.toBeNaN();
      expect(textOf(element, 'id')).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
    }
    expect(new Set(elements(feed, 'id').map(({ text }) => text)).size).toBe(hostile.length + 1);
  });
});

it('the sitemaps are well-formed, and lead to every post', async () => {
  const read = async (url: string) =>
    parseXml(browser, (await platen.read('hostile', new URL(url).pathname)).text);
  const index = await read('http://x/sitemap.xml');
  expect(index.attributes.xmlns).toBe('http://www.sitemaps.org/schemas/sitemap/0.9');
  const sitemaps = await Promise.all(elements(index, 'loc').map(({ text }) => read(text)));
  const urls = sitemaps.flatMap((sitemap) => elements(sitemap, 'loc').map(({ text }) => text));
  expect(urls).toHaveLength(hostile.length + 1);
  for (const url of urls) expect((await platen.read('hostile', new URL(url).pathname)).status).toBe(200);
});
