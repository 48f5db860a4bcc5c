import { markdownToHTML } from 'comrak';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { feedFiles, feedFormats } from '../../generator/addresses.ts';
import { drawSvg } from '../../generator/cards/draw.ts';
import { createFeedWriter } from '../../generator/feeds/feed.ts';
import { renderMarkdown } from '../../generator/markdown/render.ts';
import { escapeText } from '../../generator/markdown/text/plain-text.ts';
import { loadTemplates, type RenderView } from '../../generator/theme/templates.ts';
import { translations } from '../../server/addresses/schemas.ts';
import { translationLinks } from '../../server/addresses/translations.ts';
import { blog, post, postView } from '../generator/render/views.ts';
import { openBrowser } from '../support/browser.ts';
import { corpusDir } from '../support/corpus.ts';
import { fence } from '../support/hostile-contexts.ts';
import { type DomElement, everyElement } from '../support/hostile-dom.ts';
import { openTrap, type Trap } from '../support/hostile-page.ts';
import { buildTwins, everyView, renderedInAllWays } from '../support/hostile-site.ts';
import { corpusEntries, ownEntries } from '../support/hostile-strings.ts';
import { differenceFrom, parseAll, type Show, wordFor } from '../support/hostile-twin.ts';

// Slow: Chromium parses every page of blogs that hold hundreds of hostile strings, and of their harmless twins.

let browser: Browser;
let page: Page;
let traps: readonly Trap[] = [];
let renderView: RenderView;

beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.newPage();
  renderView = await loadTemplates();
  traps = [0, 1].map(() => openTrap(browser, renderView(postView({ html: '<pre>code</pre>' }))));
}, 660_000);
afterAll(() => browser.close());

const trap = (): Trap => traps[0] ?? expect.fail('there is no page');

/** The text as an HTML parser returns it from UTF-8. JSON keeps it unchanged. */
const shownInHtml: Show = (string, { element, kind }) => {
  if (kind === 'json') return string;
  const text = string.toWellFormed().replace(/\r\n?/g, '\n');
  return text.replaceAll('\0', kind === 'attribute' || element.name === 'title' ? '\ufffd' : '');
};

/** The text as an XML parser returns it: characters that XML cannot hold are removed. */
const shownInXml: Show = (string, { element, kind }) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold these characters
  const unfit = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
  const text = string.toWellFormed().replace(unfit, '').replace(/\r\n?/g, '\n');
  if (kind === 'attribute') return text.replace(/[\t\n]/g, ' ');
  // Atom declares HTML text with an attribute; RSS descriptions are always HTML.
  return element.attributes.type === 'html' || element.name === 'description' ? escapeText(text) : text;
};

/** The text as it remains in one line of Markdown. */
const shownInLine: Show = (string) =>
  string
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

interface Reader {
  readonly files: RegExp;
  readonly read: (texts: readonly string[]) => Promise<DomElement[]> | DomElement[];
  readonly show: Show;
}

/** A parser for each kind of file in a blog. */
const readers: readonly Reader[] = [
  { files: /\.html$/, read: (texts) => parseAll(page, texts, 'text/html'), show: shownInHtml },
  { files: /\.xml$/, read: (texts) => parseAll(page, texts, 'application/xml'), show: shownInXml },
  { files: /\.json$|^\/hosts\//, read: (texts) => texts.map(readJson), show: (string) => string },
  { files: /\.md$/, read: (texts) => texts.map(readSource), show: (string) => string },
  {
    files: /^llms(?:-full)?\.txt$/,
    read: (texts) => parseAll(page, texts.map(markdownAsHtml), 'text/html'),
    show: shownInLine,
  },
];

const readerOf = (path: string): Reader | undefined => readers.find(({ files }) => files.test(path));

/** JSON wrapped as in a document, a place that the comparison knows. */
const readJson = (json: string): DomElement => ({
  name: 'script',
  space: 'html',
  attributes: { type: 'application/ld+json' },
  children: [JSON.stringify(JSON.parse(json))],
});

function readSource(file: string): DomElement {
  const [, frontMatter = '', body = file] = /^---\n(.*?)\n---\n(.*)$/s.exec(file) ?? [];
  return readJson(JSON.stringify({ fields: parseYaml(frontMatter), body }));
}

const markdownAsHtml = (markdown: string): string =>
  markdownToHTML(markdown, { extension: { table: true, strikethrough: true, footnotes: true } });

/** Files that are read and compared at once. Their trees are large. */
const TOGETHER = 50;

/** What differs from the twin, one line for each file. */
async function differencesOf(
  { read, show }: Reader,
  paths: readonly string[],
  texts: readonly string[],
  twinTexts: readonly string[],
  strings: readonly string[],
): Promise<string[]> {
  // Half of a page is a style sheet of ours, the same on every page.
  const styles = new Set(twinTexts.flatMap((text) => text.match(/<style>[^<]*<\/style>/g) ?? []));
  const withoutStyles = (text: string) =>
    [...styles].reduce((left, style) => left.replaceAll(style, ''), text);
  const trees = await read(texts.map(withoutStyles));
  const twins = await read(twinTexts.map(withoutStyles));
  return paths.flatMap((path, index) => {
    const [tree, twin] = [trees[index], twins[index]];
    if (tree === undefined || twin === undefined) throw new Error(`${path} was not read`);
    const difference = differenceFrom(twin, tree, strings, show);
    return difference === null ? [] : [`${path}: ${difference}`];
  });
}

function suite(strings: readonly string[]): void {
  it('hostile strings on every page of a blog are shown as literal text and do nothing else', async () => {
    const { hostile, twin } = await buildTwins(strings);
    expect([...hostile.keys()]).toEqual([...twin.keys()]);
    const found: string[] = [];
    for (const reader of readers) {
      const paths = [...hostile.keys()].filter((path) => readerOf(path) === reader);
      expect(paths).not.toEqual([]);
      for (let from = 0; from < paths.length; from += TOGETHER) {
        const some = paths.slice(from, from + TOGETHER);
        const texts = (files: ReadonlyMap<string, string>) => some.map((path) => files.get(path) ?? '');
        found.push(...(await differencesOf(reader, some, texts(hostile), texts(twin), strings)));
      }
    }
    expect(found).toEqual([]);
    // A file of a new kind needs a reader of its own, unless it holds no user text.
    expect([...hostile.keys()].filter((path) => readerOf(path) === undefined)).toEqual([
      '_headers',
      'feed.css',
      'robots.txt',
    ]);
    for (const path of ['_headers', 'feed.css', 'robots.txt']) expect(hostile.get(path)).toBe(twin.get(path));

    // A page that parses like its twin behaves like its twin, so only a sample of many pages is opened.
    const every = Math.ceil(strings.length / 50);
    // Search results need a real blog and have a test of their own. The further list pages of a tag repeat what its
    // first page shows.
    const others = /^search\/index\.html$|^tags\/[^/]+\/page\//;
    const pages = [...hostile].filter(([path]) => path.endsWith('.html') && !others.test(path));
    const opened = pages.filter((_, index) => index % every === 0);
    for (const path of ['index.html', '404.html', 'old-address/index.html'])
      opened.push([path, hostile.get(path) ?? '']);
    expect(await offencesOfPages(opened)).toEqual([]);
    for (const path of ['feed.xml', 'rss.xml']) {
      const visit = await trap().visit(hostile.get(path) ?? '', { contentType: 'application/xml' });
      // Their own styles.
      expect(visit.offences).toEqual(['request (stylesheet): http://blog.localhost/feed.css']);
    }
  }, 600_000);

  it('a hostile blog name is shown as literal text in every layout', async () => {
    const twins = await parseAll(page, renderedInAllWays(renderView, everyView(wordFor(0))), 'text/html');
    // If there are many strings, each appears in a few places, and every place gets its share.
    const every = Math.ceil(strings.length / 100);
    const shown = strings.flatMap((string, index) =>
      renderedInAllWays(renderView, everyView(string)).flatMap((html, way) =>
        (index + way) % every === 0 ? [{ string, way, html }] : [],
      ),
    );
    const found: string[] = [];
    for (let from = 0; from < shown.length; from += 100) {
      const some = shown.slice(from, from + 100);
      const trees = await parseAll(
        page,
        some.map(({ html }) => html),
        'text/html',
      );
      for (const [index, { string, way }] of some.entries()) {
        const [twin, tree] = [twins[way], trees[index]];
        if (twin === undefined || tree === undefined) throw new Error('a page was not read');
        const difference = differenceFrom(twin, tree, [string], shownInHtml);
        if (difference !== null) found.push(`view ${way} of ${string}: ${difference}`);
      }
    }
    expect(new Set(shown.map(({ string }) => string)).size).toBe(new Set(strings).size);
    expect(twins.length).toBeGreaterThan(5);
    expect(found).toEqual([]);
  }, 600_000);

  it.each(feedFormats)(
    'hostile strings in the feeds of a blog, its author and a tag stay literal text: %s',
    async (format) => {
      const { read, show } = readerOf(feedFiles[format]) ?? expect.fail('no reader');
      const feedOf = (text: string) => {
        const tag = { label: text, slug: 'tag' };
        const settings = { ...blog.settings, author: { name: text, url: null, image: null } };
        const posts = [{ ...post, title: text, description: text, tags: [tag] }];
        const named = { ...blog, name: text, description: text, settings };
        return Buffer.from(createFeedWriter()({ format, blog: named, tag, posts })).toString();
      };
      const [twin] = await read([feedOf(wordFor(0))]);
      const feeds = await read(strings.map(feedOf));
      if (twin === undefined) throw new Error('the feed was not read');
      const found = strings.flatMap((string, index) => {
        const feed = feeds[index];
        const difference = feed === undefined ? 'not read' : differenceFrom(twin, feed, [string], show);
        return difference === null ? [] : [`${string}: ${difference}`];
      });
      expect(found).toEqual([]);
    },
    600_000,
  );

  it('hostile addresses of translations lead only where they say', async () => {
    // The interface accepts these addresses; each goes with every language.
    const addresses = strings
      .flatMap((string) => [`https://e.example/${string}`, `https://e.example/?${string}#${string}`, string])
      .map((string) => translations.safeParse({ de: string }).data?.de)
      .filter((address) => address !== undefined);
    expect(addresses.length).toBeGreaterThan(strings.length / 2);
    const pageOf = (address: string) =>
      renderView(postView({ translations: translationLinks({ de: address, 'en-x-b': address }) }));
    const [twin] = await parseAll(page, [pageOf('https://e.example/zq0qz')], 'text/html');
    if (twin === undefined) throw new Error('the twin was not read');
    const found: string[] = [];
    for (let from = 0; from < addresses.length; from += 100) {
      const some = addresses.slice(from, from + 100);
      for (const [index, tree] of (await parseAll(page, some.map(pageOf), 'text/html')).entries()) {
        const { url = '' } = translationLinks({ de: some[index] ?? '' })[0] ?? {};
        const absolute = new URL(url, blog.url).href;
        const led = [...everyElement(tree)].flatMap(({ element: { name, attributes } }) =>
          attributes.hreflang === undefined || attributes.hreflang === 'en'
            ? []
            : [`${name} ${attributes.href}`],
        );
        const expected = [`link ${absolute}`, `link ${absolute}`, `a ${url}`, `a ${url}`];
        if (led.join() !== expected.join() || !/^https?:/.test(absolute)) found.push(led.join());
        const count = (root: DomElement) => [...everyElement(root)].length;
        if (count(tree) !== count(twin)) found.push(`${some[index]}: other elements`);
      }
    }
    expect(found).toEqual([]);
  }, 600_000);

  it('preview cards draw hostile strings as shapes only', async () => {
    const drawn: string[] = [];
    for (const [index, title] of strings.entries()) {
      // Each string is drawn once, as a title or as a blog name.
      const blogName = strings[index + 1] ?? title;
      const date = '2026-03-14T09:30:00.000Z';
      if (index % 2 === 0)
        drawn.push(
          await drawSvg({
            title,
            blogName,
            description: null,
            host: 'e.example',
            date,
            lang: null,
            accent: null,
            icon: null,
          }),
        );
    }
    expect(await offencesOfDrawings(drawn)).toEqual([]);
  }, 600_000);

  it('hostile strings in code do nothing on a page with the theme script', async () => {
    const asCode = (string: string) => fence(`html title="${string.replace(/[\r\n]+/g, ' ')}"`, string);
    for (let from = 0; from < strings.length; from += 100) {
      const html = strings.slice(from, from + 100).map((string) => renderMarkdown(asCode(string)).html);
      const { root, offences } = await trap().visit(renderView(postView({ html: html.join('') })));
      expect(offences).toEqual([]);
      const elements = [...everyElement(root)].map(({ element }) => element.name);
      // One button for each code block, and one that is on every page.
      expect(elements.filter((name) => name === 'button')).toHaveLength(html.length + 1);
    }
  }, 600_000);
}

async function offencesOfPages(pages: readonly (readonly [path: string, html: string])[]): Promise<string[]> {
  const found: string[] = [];
  const waiting = pages.values();
  const work = async (own: Trap) => {
    for (const [path, html] of waiting) {
      const options = path.startsWith('old-address/') ? { leadsTo: `${blog.url}post-1/` } : {};
      const { offences } = await own.visit(html, options);
      found.push(...offences.map((offence) => `${path}: ${offence}`));
    }
  };
  await Promise.all(traps.map(work));
  return found;
}

const shapes = new Set('svg defs g path polygon rect mask clipPath image'.split(' '));

/**
 * Nodes of a drawing that are not shapes, or that load something from elsewhere. An embedded image is a drawing too.
 */
async function offencesOfDrawings(drawn: readonly string[]): Promise<string[]> {
  const trees = await parseAll(page, drawn, 'image/svg+xml');
  const found: string[] = [];
  for (const { element } of trees.flatMap((tree) => [...everyElement(tree)])) {
    if (element.space !== 'svg' || !shapes.has(element.name)) found.push(`element ${element.name}`);
    const texts = element.children.filter((child) => typeof child === 'string' && child.trim() !== '');
    found.push(...texts.map((text) => `text ${text}`));
    for (const [name, value] of Object.entries(element.attributes)) {
      const [, picture] = /^data:image\/svg\+xml;base64,(.*)$/.exec(value) ?? [];
      if (picture !== undefined && /href$/.test(name)) {
        found.push(...(await offencesOfDrawings([Buffer.from(picture, 'base64').toString()])));
      } else if (/^on|href$/.test(name) || /url\((?!['"]?#)|javascript:/i.test(value)) {
        found.push(`attribute ${name}="${value}"`);
      }
    }
  }
  return found;
}

describe('hostile titles, tags, descriptions and names', () => {
  suite(ownEntries.flatMap(({ strings }) => strings));
});

describe('the comparison with a harmless twin', () => {
  const script = (json: string) => `<script type="application/ld+json">${json}</script>`;
  it.each([
    ['markup in a text', '<b>', (text: string) => `<h1>${text}</h1>`],
    ['markup that breaks out of an attribute', 'a" onclick="b', (text: string) => `<p title="${text}">`],
    ['a text that is escaped twice', '&', (text: string) => `<h1>${text.replace('&', '&amp;amp;')}</h1>`],
    ['a text that is cut', 'ab', (text: string) => `<h1>${text.slice(0, -1)}</h1>`],
    ['the end of a script', '</script><script>x', (text: string) => script(JSON.stringify({ text }))],
    ['invalid JSON', '"', (text: string) => script(`{ "text": "${text}" }`)],
    ['JSON with another value', '\\n', (text: string) => script(`{ "text": "${text}" }`)],
    ['a comment', '-->', (text: string) => `<!-- ${text} -->`],
  ])('the comparison finds %s', async (_, string, make) => {
    const trees = await parseAll(page, [make(wordFor(0)), make(string)], 'text/html');
    const [twin, found] = trees;
    if (twin === undefined || found === undefined) throw new Error('not read');
    expect(differenceFrom(twin, found, [string], shownInHtml)).not.toBeNull();
    expect(differenceFrom(twin, twin, [wordFor(0)], shownInHtml)).toBeNull();
  });

  it.each(['<b>', ']]>', '&', '\u0001'])(
    'the comparison finds XML that is malformed or lacks a character: %j',
    async (string) => {
      const make = (text: string) => `<feed><title>${text}</title></feed>`;
      const [twin, found] = await parseAll(page, [make(wordFor(0)), make(string)], 'application/xml');
      if (twin === undefined || found === undefined) throw new Error('not read');
      expect(differenceFrom(twin, found, [string], (text) => text)).not.toBeNull();
    },
  );

  it.each([
    ['a](https://e.example/', '- [$](https://ink.example.com/)'],
    ['a\n- b', '- $'],
    ['`a`', '- $'],
    ['<b>', '- $'],
    ['&amp;', '- $'],
    ['# a', '> $'],
  ])('the comparison finds text that Markdown interprets: %j in %j', async (string, line) => {
    const make = (text: string) => markdownAsHtml(line.replace('$', () => text));
    const [twin, found] = await parseAll(page, [make(wordFor(0)), make(string)], 'text/html');
    if (twin === undefined || found === undefined) throw new Error('not read');
    expect(differenceFrom(twin, found, [string], shownInLine)).not.toBeNull();
  });

  it.each([
    '<script/>',
    '<text/>',
    '<g>a</g>',
    '<image href="https://e.example/a.png"/>',
    '<rect onclick="x"/>',
    '<rect fill="url(https://e.example/#a)"/>',
    `<image href="data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"><a/></svg>')}"/>`,
  ])('the comparison finds a card drawing with %s', async (content) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`;
    expect(await offencesOfDrawings([svg])).toHaveLength(1);
  });
});

const corpus = corpusDir();
if (corpus !== null) {
  describe('known attacks as titles, tags, descriptions and names', () => {
    const strings = new Set(corpusEntries(corpus).map(({ name }) => name));
    // The interface rejects blank names.
    suite([...strings].filter((string) => string.trim() !== ''));
  });
}
