import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HtmlValidate } from 'html-validate';
import { describe, expect, it } from 'vitest';
import { guides, otherPages } from '../../../scripts/guides/guide-list.ts';
import { createLinkResolver } from '../../../scripts/guides/links.ts';
import type { SearchedSection } from '../../../scripts/guides/searched-section.ts';
import { guideSections } from '../../../server/runtime/guide-sections.ts';

/** What `npm run build` made, by path below `/docs/`; the pages outside it lead with `/`. */
const folder = fileURLToPath(new URL('../../../dist/guides/', import.meta.url));
const files = new Map(
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(entry.parentPath, entry.name).slice(folder.length))
    .map((name) => [name, readFileSync(folder + name, 'utf8')]),
);
const pages = [...files].filter(([name]) => name.endsWith('.html'));
const pathOf = (name: string) => name.replace(/index\.html$/, '');
const htmlOf = (path: string) => files.get(`${path}index.html`) ?? expect.fail(`there is no guide ${path}`);
const idsIn = (html: string) => Array.from(html.matchAll(/<[^>]* id="([^"]*)"/g), ([, id = '']) => id);

/** Where a page's links lead, as paths below `/docs/` with their fragments; those to other hosts as they are. */
function linksOf(name: string, html: string): string[] {
  const base = new URL(`http://docs.test/docs/${pathOf(name)}`);
  const shown = html.replaceAll('%PUBLIC_PATH%', '');
  return Array.from(shown.matchAll(/<[^<>]* (?:href|src)="([^"]*)"/g), ([, link = '']) => {
    const { href, host, pathname, hash } = new URL(link.replaceAll('&amp;', '&'), base);
    return host !== base.host ? href : `${pathname.replace(/^\/docs\//, '')}${decodeURIComponent(hash)}`;
  });
}

/** Paths of the public host that the server answers without a file of the guides. */
const served = ['/', '/v1/openapi.json', 'reference/'];

describe('the guides', () => {
  it('every link within the guides leads to a page and to a heading that exist', () => {
    const broken = pages.flatMap(([name, html]) =>
      linksOf(name, html)
        .filter((link) => !/^(?:https?|mailto|data):/.test(link) && !served.includes(link))
        .filter((link) => {
          const [path = '', fragment] = link.split('#');
          const target = files.get(path.endsWith('/') || path === '' ? `${path}index.html` : path);
          if (target === undefined) return true;
          return fragment !== undefined && fragment !== 'Content' && !idsIn(target).includes(fragment);
        })
        .map((link) => `${name}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('every page can be reached from the overview', () => {
    const reached = new Set(['index.html']);
    for (const name of reached) {
      for (const link of linksOf(name, files.get(name) ?? '')) {
        const [path = ''] = link.split('#');
        if (files.has(`${path}index.html`)) reached.add(`${path}index.html`);
      }
    }
    const missed = pages.map(([name]) => name).filter((name) => !reached.has(name));
    expect(missed.sort()).toEqual(['home.html', 'not-found.html']);
    expect(reached.size).toBeGreaterThan(guides.length + 20);
    expect(linksOf('index.html', htmlOf(''))).toContain('reference/');
  });

  it('nothing on the pages is loaded from another host', () => {
    for (const [name, html] of pages) {
      const loaded = html.matchAll(
        /<(?:script|img|iframe|source|video|link)[^>]* (?:src|srcset|href)="([^"]*)"/g,
      );
      const elsewhere = Array.from(loaded, ([, address = '']) => address).filter((address) =>
        /^(?:https?:)?\/\//.test(address),
      );
      expect(elsewhere, name).toEqual([]);
      expect(html, name).not.toMatch(/<script(?! src)|<style| style="| on[a-z]+="/);
    }
  });

  it('every section that errors link to exists', () => {
    const missing = Object.values(guideSections).filter((section) => {
      const [path = '', id] = section.split('#');
      return id !== undefined && !idsIn(htmlOf(path)).includes(id);
    });
    expect(missing).toEqual([]);
  });

  it('the Markdown guide shows every example as source, as its result and as HTML', () => {
    const source = readFileSync(new URL('../../../docs/markdown.md', import.meta.url), 'utf8');
    const examples = source.match(/^`{3,}md$/gm) ?? [];
    const html = htmlOf('markdown/');
    expect(html.match(/<div class="example">/g)).toHaveLength(examples.length);
    expect(html).toContain(
      '<div class="result" role="group" aria-label="Result"><p>Words can be <em>stressed</em>,',
    );
    expect(html).toMatch(/<math><mfrac>.*<figure class="diagram"/s);
    expect(html).not.toMatch(/<img[^>]* src="(?!\.\.\/press\.svg)/);
  });

  it('code in tables has no backslash that only the table needed', () => {
    expect(htmlOf('markdown/')).toContain('<code>--&gt;|yes|</code>');
  });
});

describe('the search index of the guides', () => {
  const name = [...files.keys()].find((name) => /^search-\w+\.json$/.test(name)) ?? '';
  const index: SearchedSection[] = JSON.parse(files.get(name) ?? '[]');

  it('the search index has every guide and the text of its sections', () => {
    expect(new Set(index.map(({ guide }) => guide))).toEqual(new Set(guides.map(({ label }) => label)));
    const limits = index.find(({ address }) => address === 'api/#rate-limits');
    expect(limits).toMatchObject({ guide: 'API by task', heading: 'Rate limits' });
    expect(limits?.text).toContain('X-RateLimit-Remaining');
  });

  it('every entry of the search index leads to its heading', () => {
    const broken = index.filter(({ address }) => {
      const [path = '', id] = address.split('#');
      return id !== undefined && !idsIn(htmlOf(path)).includes(id);
    });
    expect(broken).toEqual([]);
  });
});

const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:a11y'],
  rules: {
    // Svelte and parse5 write documents this way, and HTML allows it.
    'doctype-style': 'off',
    'void-style': 'off',
    'attribute-empty-style': 'off',
    'attribute-boolean-style': 'off',
    'valid-id': ['error', { relaxed: true }],
    'long-title': 'off',
  },
});

it.each(pages)('the HTML of %s is valid', async (_name, html) => {
  const { results } = await validator.validateString(html);
  const messages = results.flatMap(({ messages }) => messages);
  expect(messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} ${selector}`)).toEqual([]);
});

describe('links between sources', () => {
  const guide = (path: string, file: string) => ({ path, file, label: '', about: '' });
  const api = guide('api/', 'docs/api.md');
  const overview = guide('', 'templates/guides/overview.svx');
  const why = guide('decisions/0001-why/', 'docs/decisions/0001-why.md');
  const resolve = createLinkResolver([api, overview, why]);

  it.each([
    [api, 'api.md#errors', '../api/#errors'],
    [api, '#errors', '#errors'],
    [api, 'decisions/0001-why.md', '../decisions/0001-why/'],
    [why, '../api.md', '../../api/'],
    [overview, 'api.md', 'api/'],
    [overview, otherPages[0], './reference/'],
    [api, '/v1/openapi.json', '../../v1/openapi.json'],
    [api, 'https://example.org/a', 'https://example.org/a'],
    [api, '../server/app.ts', null],
    [api, 'benchmarks.md', null],
  ])('$0.file links to $1', (from, href, expected) => {
    expect(resolve(from, href)).toBe(expected);
  });
});
