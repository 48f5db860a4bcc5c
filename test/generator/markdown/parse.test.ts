import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseToHtml } from '../../../generator/markdown/parse.ts';
import { MarkdownRefused } from '../../../generator/markdown/refused.ts';

describe('parsing a source beyond the limits', () => {
  it('a source beyond the limits is refused before it is parsed', () => {
    expect(() => parseToHtml('# a\n'.repeat(50_000))).toThrow(MarkdownRefused);
  });

  it('a source is refused after parsing if only its HTML shows the excess', () => {
    expect(() => parseToHtml(`${'*a '.repeat(2_000)}${' a*'.repeat(2_000)}`)).toThrow('levels of emphasis');
    expect(parseToHtml('*a*')).toBe('<p><em>a</em></p>\n');
  });

  it('a large source within the limits is not refused', () => {
    const table = `${'|x'.repeat(20)}|\n${'|-'.repeat(20)}|\n${'|x\n'.repeat(2_000)}`;
    expect(parseToHtml(table).match(/<tr>/g)).toHaveLength(2_001);
  });
});

describe('a parser that has trapped', () => {
  beforeEach(() => void vi.resetModules());
  // Later suites of this process need a parser that works.
  afterEach(() => {
    vi.doUnmock('comrak');
    vi.resetModules();
  });

  it('a parser that has trapped is not used again in its thread', async () => {
    const markdownToHTML = vi.fn().mockImplementationOnce(() => {
      throw new Error('unreachable');
    });
    vi.doMock('comrak', () => ({ markdownToHTML }));
    const fresh = await import('../../../generator/markdown/parse.ts');
    expect(() => fresh.parseToHtml('a')).toThrow('unreachable');
    expect(() => fresh.parseToHtml('b')).toThrow('failed before');
    expect(markdownToHTML).toHaveBeenCalledTimes(1);
  });
});
