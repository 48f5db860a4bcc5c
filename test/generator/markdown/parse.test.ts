import { beforeEach, describe, expect, it, vi } from 'vitest';
import { parseToHtml } from '../../../generator/markdown/parse.ts';
import { MarkdownRefused } from '../../../generator/markdown/refused.ts';

const table = (columns: number, rows: number, prefix = '') =>
  [
    `${prefix}${'|x'.repeat(columns)}|`,
    `${prefix}${'|-'.repeat(columns)}|`,
    ...Array.from({ length: rows }, () => `${prefix}|x`),
  ].join('\n');

describe('tables that would be filled up beyond all memory', () => {
  it.each(['', '> ', '1. '])('are refused before they are parsed (after %j)', (prefix) => {
    expect(() => parseToHtml(table(300, 20_000, prefix))).toThrow(MarkdownRefused);
  });

  it('are told from large ones', () => {
    expect(parseToHtml(table(20, 2_000)).match(/<tr>/g)).toHaveLength(2_001);
  });
});

describe('a parser that has trapped', () => {
  beforeEach(() => {
    vi.resetModules();
    vi.doUnmock('comrak');
  });

  it('is not used again in its thread', async () => {
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
