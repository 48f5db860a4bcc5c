import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readHead } from '../../../clients/cli/folder/read-post.ts';
import { sourceFile } from '../../../generator/render/source.ts';
import type { PostSource } from '../../../generator/site/post.ts';
import { blog, summary } from './views.ts';

const fileOf = (changes: Partial<PostSource> = {}): string =>
  sourceFile(blog, { ...summary, source: '# Text\n', translations: [], ...changes });

/** Splits a file at its front matter as every reader does. */
function divide(file: string): { frontMatter: string; body: string } {
  const [, frontMatter = '', body = ''] =
    /^---\n(.*?)\n---\n(.*)$/s.exec(file) ?? expect.fail(`no front matter: ${file}`);
  return { frontMatter, body };
}

describe('the source file of a post', () => {
  it('a source file has the facts of the post’s page as front matter, and then the author’s text', () => {
    const { frontMatter, body } = divide(fileOf());
    expect(parse(frontMatter)).toEqual({
      title: summary.title,
      date: '2026-03-10T23:30:00.000Z',
      updated: '2026-03-10T23:45:00.000Z',
      tags: ['Letterpress', '日本'],
      description: summary.description,
      canonical_url: 'https://ink.example.com/the-composing-stick/',
    });
    expect(body).toBe('\n# Text\n');
  });

  it('a source file names a page at the root by the address that readers see', () => {
    const frontPage = { page: summary.slug, list: 'posts' };
    const settings = { ...blog.settings, frontPage };
    const page = { ...summary, type: 'page', source: '', translations: [] } as const;
    const { frontMatter } = divide(sourceFile({ ...blog, settings }, page));
    expect(parse(frontMatter).canonical_url).toBe('https://ink.example.com/');
  });

  it('a source file leaves out what the post does not have', () => {
    const fields = parse(divide(fileOf({ tags: [], description: '' })).frontMatter);
    expect(Object.keys(fields)).toEqual(['title', 'date', 'updated', 'canonical_url']);
  });

  it.each(['a', 'a\n', 'a\r\nb\r\n', '---\ntitle: x\n---\na\n', ' \n\n', '\ufeffa\n'])(
    'a source file keeps the author’s text and adds only a final line break: %j',
    (source) => {
      expect(divide(fileOf({ source })).body).toBe(`\n${source.replace(/\n?$/, '\n')}`);
    },
  );

  it.each([
    ...[
      'no',
      '2026-01-01',
      '12:30',
      '1.10',
      '~',
      '',
      '0x10',
      '=',
      '<<',
      '#a',
      'a # b',
      'a: b',
      '- a',
      "'",
      '"',
    ],
    ...['---', 'a\n---\nb', '...', '\ta', 'a\r\nb', '{{ a }}', '&a *b !c', '%a', 'x'.repeat(300), '\ufeffa'],
    ...['a\u0000\u001b\u0007b', 'a\u007f\u0085\u009fb', 'a\u2028b\u2029c', '日本 😀', '\ufffe\uffff'],
  ])('front matter returns every text unchanged to readers of YAML 1.1 and 1.2: %j', (text) => {
    const { frontMatter, body } = divide(fileOf({ title: text, tags: [{ label: text, slug: 'a' }] }));
    for (const version of ['1.1', '1.2'] as const) {
      expect(parse(frontMatter, { version })).toMatchObject({ title: text, tags: [text] });
    }
    expect(body).toBe('\n# Text\n');
    // Characters that YAML forbids, or that some readers take for line breaks.
    expect(frontMatter).not.toMatch(/(?!\n)\p{Cc}|[\u2028\u2029\ufeff\ufffe\uffff]/u);
  });

  it('front matter lists translations by absolute address, with languages readable in YAML 1.1 and 1.2', () => {
    const translations = [
      { lang: 'de', url: '/artikel/' },
      { lang: 'no', url: 'https://example.org/no/' },
    ];
    const { frontMatter } = divide(fileOf({ translations }));
    for (const version of ['1.1', '1.2'] as const) {
      expect(parse(frontMatter, { version }).translations).toEqual({
        de: 'https://ink.example.com/artikel/',
        no: 'https://example.org/no/',
      });
    }
  });

  it('a source file can be published again as the same post', () => {
    const translations = [{ lang: 'no', url: 'https://example.org/no/' }];
    const title = 'On "no": a\u2028title';
    const file = fileOf({ title, source: 'Text.\n\n---\n\nMore.\n', translations });
    const { fields, errors, split } = readHead(file, 'unknown');
    expect(errors).toEqual([]);
    expect(split.body).toBe('\nText.\n\n---\n\nMore.\n');
    expect(fields).toMatchObject({
      title,
      description: summary.description,
      tags: ['Letterpress', '日本'],
      status: undefined,
      translations: { no: 'https://example.org/no/' },
    });
  });
});
