// Slow: parses many sources of the largest size.
import { describe, expect, it } from 'vitest';
import { checkHtmlLimits, checkSourceLimits } from '../../../generator/markdown/limits.ts';
import { MarkdownRefused } from '../../../generator/markdown/refused.ts';

const table = (columns: number, rows: number, prefix = '') =>
  [
    `${prefix}${'|x'.repeat(columns)}|`,
    `${prefix}${'|-'.repeat(columns)}|`,
    ...Array.from({ length: rows }, () => `${prefix}x`),
  ].join('\n');

describe('a source beyond a limit', () => {
  it.each(['', '> ', '1. '])(
    'a source is refused for the empty cells that fill up its table rows (after %j)',
    (prefix) => {
      expect(() => checkSourceLimits(table(300, 20_000, prefix))).toThrow(MarkdownRefused);
      expect(() => checkSourceLimits(table(300, 20_000, prefix))).toThrow(
        'table cells, short rows filled up',
      );
    },
  );

  it('a refusal names the excess and the limit', () => {
    expect(() => checkSourceLimits(`${'>'.repeat(201)} a`)).toThrow(
      'The post has too many quotes and lists within each other: 201, 200 are allowed.',
    );
    expect(() => checkSourceLimits('# a\n'.repeat(40_001))).toThrow(': 40,001, 40,000 are allowed.');
  });

  it('a source is refused for table columns, with and without pipes at the ends of rows', () => {
    for (const ends of ['|', '']) {
      const columns = (count: number) =>
        ['x', '-'].map((cell) => `${ends}${Array(count).fill(cell).join('|')}${ends}\n`).join('');
      expect(() => checkSourceLimits(columns(500))).not.toThrow();
      expect(() => checkSourceLimits(columns(501))).toThrow('too many table columns: 501, 500 are allowed');
    }
  });

  it('a source is refused for table rows, even rows that could be paragraph text', () => {
    const rows = (count: number) => `|x|\n|-|\n${'x\n'.repeat(count)}`;
    expect(() => checkSourceLimits(rows(39_998))).not.toThrow();
    expect(() => checkSourceLimits(rows(39_999))).toThrow('too many paragraphs');
    expect(() => checkSourceLimits('x\n'.repeat(100_000))).not.toThrow();
  });

  it.each(['\n', '\r', '\r\n'])('an excess is found with lines that end in %j', (end) => {
    expect(() => checkSourceLimits(`a${end}${end}`.repeat(40_001))).toThrow('too many paragraphs');
    expect(() => checkSourceLimits(`a${end}${end}`.repeat(40_000))).not.toThrow();
    expect(() => checkSourceLimits(`a${end}${'1. '.repeat(201)}a`)).toThrow('within each other');
  });

  it('an excess is counted by paragraph, and across blank lines in HTML blocks that continue over them', () => {
    const paragraphs = `${'<b>a</b> '.repeat(100)}\n\n`.repeat(1_000);
    expect(() => checkSourceLimits(paragraphs)).not.toThrow();
    expect(() => checkSourceLimits(`<!-- ${paragraphs}`)).toThrow('tags and formulas');
    expect(() => checkSourceLimits(paragraphs.replaceAll('\n\n', '\n'))).toThrow('tags and formulas');
  });

  it('an excess of nested emphasis is found in HTML', () => {
    const nested = (depth: number) => `${'<em><strong>'.repeat(depth)}${'</strong></em>'.repeat(depth)}`;
    expect(() => checkHtmlLimits(nested(501))).toThrow('levels of emphasis');
    expect(() => checkHtmlLimits(nested(500).repeat(20))).not.toThrow();
  });
});

describe('ordinary sources', () => {
  const section = (n: number) => `## Part ${n}

Some *text* with a [link](https://example.org/${n}), a note[^${n}], \`code | more\` and <kbd>a key</kbd>, by ann@example.org.

> - quoted **and** listed
>   1. and numbered

| a | b | c |
|---|--:|:-:|
| 1 | 2 | $x$ |

\`\`\`c
>>>>>>>>>> char *p, **q; if (((a)) || ((b))) { f(g(h(x))); }
\`\`\`

[^${n}]: About part ${n}.
`;

  it('a book of a thousand sections is far within the limits', () => {
    const book = Array.from({ length: 1_000 }, (_, n) => section(n)).join('\n');
    expect(book.length).toBeGreaterThan(300_000);
    expect(() => checkSourceLimits(book)).not.toThrow();
    expect(() => checkSourceLimits(book.replaceAll('\n', '\r\n'))).not.toThrow();
  });

  it.each([
    ['a mebibyte of log in a fence', `\`\`\`\n${'some line of a log 12\n'.repeat(47_000)}\`\`\`\n`],
    ['a fence with a shorter one in it', `\`\`\`\`\n${'```\n- a\n'.repeat(50_000)}\`\`\`\`\n`],
    ['a paragraph of short lines', 'a line of verse\n'.repeat(60_000)],
  ])('lines that begin no block are not limited: %s', (_, source) => {
    expect(() => checkSourceLimits(source)).not.toThrow();
  });

  it.each([
    ['after a fence', `~~~\na\n~~~\n${'- a\n'.repeat(50_000)}`],
    ['after a fence line inside HTML', `<div>\n~~~\n</div>\n\n${'- a\n'.repeat(50_000)}`],
    ['after a fence line inside a comment', `<!--\n\n~~~\n-->\n\n${'- a\n'.repeat(50_000)}`],
    ['after a fence line that is indented code', `    ~~~\n${'- a\n'.repeat(50_000)}`],
    ['after a fence line with a backtick', `\`\`\` a\`\n${'- a\n'.repeat(50_000)}`],
  ])('blocks are counted %s', (_, source) => {
    expect(() => checkSourceLimits(source)).toThrow('too many paragraphs');
  });
});
