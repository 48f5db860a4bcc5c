// Slow: renders every example of the reference, those that reach the limits included.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../generator/markdown/render.ts';
import { startTestPlaten, type TestPlaten } from '../support/platen.ts';

const text = readFileSync(new URL('../../docs/markdown.md', import.meta.url), 'utf8');
/** The server's facts about the two uploaded images in the document, with addresses of today instead of references. */
const path = '/019a2f6e-7c10-7000-8000-00000000002a/019a2f70-1b44-7000-8000-0000000000';
const media = `https://media.example.org${path}`;
const sources = ['avif', 'webp'].map((format) => ({
  type: `image/${format}`,
  files: [480, 800, 1000].map((width) => ({ address: `${media}a2-${width}.${format}`, width })),
}));
const images = new Map([
  [`${path}a1.webp`, { address: `${media}a1.webp`, width: 640, height: 480, sources: [] }],
  [`${path}a2.jpg`, { address: `${media}a2.jpg`, width: 1000, height: 750, sources }],
]);
const html = (source: string) => renderMarkdown(source, images).html;

interface Fence {
  readonly language: string;
  readonly content: string;
  readonly inPart: boolean;
}

const fences: readonly Fence[] = Array.from(
  text.matchAll(/(<!-- shown in part -->\n+)?^(`{3,})(\w+)\n(.*?)^\2$/gms),
  ([, mark, , language = '', content = '']) => ({ language, content, inPart: mark !== undefined }),
);
const pairs = fences.flatMap((fence, index) => {
  const next = fences[index + 1];
  return fence.language === 'md' && next?.language === 'html'
    ? [{ source: fence.content, result: next }]
    : [];
});

describe('the Markdown reference', () => {
  it('the Markdown reference pairs every source with a result', () => {
    const ofExamples = fences.filter(({ language }) => language === 'md' || language === 'html');
    expect(ofExamples).toHaveLength(2 * pairs.length);
    expect(pairs.length).toBeGreaterThanOrEqual(25);
    expect(pairs.filter(({ result }) => result.inPart)).toHaveLength(1);
  });

  it.each(pairs)('the Markdown reference shows the real result: $source', ({ source, result }) => {
    if (!result.inPart) return expect(html(source)).toBe(result.content);
    expect(result.content.length).toBeGreaterThan(40);
    expect(html(source).slice(0, result.content.length - 1)).toBe(result.content.slice(0, -1));
  });

  it('the Markdown reference lists only elements that the sanitiser keeps', () => {
    const [, list = ''] = /^These are kept:\n(.*?)^They keep/ms.exec(text) ?? [];
    const names = Array.from(list.matchAll(/`(\w+)`/g), ([, name = '']) => name);
    expect(names.length).toBeGreaterThan(60);
    const lost = names.filter((name) => !html(`<div>\n<${name} src="x">\n</div>`).includes(`<${name}`));
    expect(lost).toEqual([]);
  });

  it('every link within the Markdown reference leads to a heading', () => {
    const { headings } = renderMarkdown(text);
    const ids = headings.map(({ id }) => id);
    const links = Array.from(text.matchAll(/\]\(#([^)]+)\)/g), ([, id]) => id);
    expect(links.filter((id) => id !== 'press' && id !== 'old-name' && !ids.includes(id ?? ''))).toEqual([]);
  });
});

describe('the limits in the Markdown reference', () => {
  const [, table = ''] = /^\| most \| \|\n\|---:\|---\|\n(.*?)\n\n/ms.exec(text) ?? [];
  const rows = table.split('\n').map((row) => {
    const [, most = '', what = ''] = row.split('|').map((cell) => cell.trim());
    return { most, what };
  });

  const columns = (count: number, delimiter = '-') =>
    `${'|a'.repeat(count)}|\n${`|${delimiter}`.repeat(count)}|\n`;
  const excesses: Readonly<Record<string, string>> = {
    'paragraphs, list items, table cells and the like': '- a\n'.repeat(40_001),
    'table cells, short rows filled up': columns(400) + '|a|\n'.repeat(1_300),
    'table columns': columns(501),
    'quotes and lists within each other': '>'.repeat(201),
    'footnotes and references to them': '[^a]'.repeat(10_001),
    'e-mail addresses': 'a@b.c '.repeat(5_001),
    'closing parentheses in a row': ')'.repeat(1_001),
    'tags and formulas without an empty line between them (by their number times the characters)': '<'.repeat(
      50_000,
    ),
    'levels of emphasis within each other': `${'*a '.repeat(1_001)}${' a*'.repeat(1_001)}`,
    'characters of HTML': columns(400, ':-:') + '|a|\n'.repeat(1_200),
  };

  it('the Markdown reference lists a limit for everything that can be too much', () => {
    expect(rows.map(({ what }) => what).sort()).toEqual(Object.keys(excesses).sort());
  });

  it.each(rows)('the limit in the Markdown reference is the real one: $what', ({ most, what }) => {
    const render = () => html(excesses[what] ?? '');
    expect(render).toThrow(`too many ${what}: `);
    expect(render).toThrow(`, ${most} are allowed`);
  });
});

describe('the request in the Markdown reference', () => {
  let platen: TestPlaten;
  beforeAll(async () => {
    platen = await startTestPlaten();
  });
  afterAll(() => platen.close());

  it('the request in the Markdown reference gets the answer shown there', async () => {
    const [, body = ''] =
      /-d '(.*)'$/m.exec(fences.find(({ language }) => language === 'sh')?.content ?? '') ?? [];
    const shown = fences.find(({ language }) => language === 'json')?.content ?? '';
    const { status, json } = await platen.call('POST', '/markdown', undefined, {
      raw: body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect({ status, json }).toEqual({ status: 200, json: JSON.parse(shown) });
  });
});
