import { describe, expect, it } from 'vitest';
import { checkSourceLimits, checkHtmlLimits } from '../../../generator/markdown/limits.ts';
import { MarkdownRefused } from '../../../generator/markdown/refused.ts';

const table = (columns: number, rows: number, prefix = '') =>
  [
    `${prefix}${'|x'.repeat(columns)}|`,
    `${prefix}${'|-'.repeat(columns)}|`,
    ...Array.from({ length: rows }, () => `${prefix}x`),
  ].join('\n');

describe('a source that goes beyond a limit', () => {
  it.each(['', '> ', '1. '])('by cells that fill up its tables is refused (after %j)', (prefix) => {
    expect(() => checkSourceLimits(table(300, 20_000, prefix))).toThrow(MarkdownRefused);
    expect(() => checkSourceLimits(table(300, 20_000, prefix))).toThrow('table cells, short rows filled up');
  });

  it('is told what is too much and how much may be', () => {
    expect(() => checkSourceLimits(`${'>'.repeat(201)} a`)).toThrow(
      'The post has too many quotes and lists within each other: 201, 200 are allowed.',
    );
    expect(() => checkSourceLimits('# a\n'.repeat(40_001))).toThrow(': 40,001, 40,000 are allowed.');
  });

  it('by the columns of a table is, with and without pipes at the ends of its rows', () => {
    for (const ends of ['|', '']) {
      const columns = (count: number) =>
        ['x', '-'].map((cell) => `${ends}${Array(count).fill(cell).join('|')}${ends}\n`).join('');
      expect(() => checkSourceLimits(columns(500))).not.toThrow();
      expect(() => checkSourceLimits(columns(501))).toThrow('too many table columns: 501, 500 are allowed');
    }
  });

  it('by the rows of a table is, though each is a word that could go on with a paragraph', () => {
    const rows = (count: number) => `|x|\n|-|\n${'x\n'.repeat(count)}`;
    expect(() => checkSourceLimits(rows(39_998))).not.toThrow();
    expect(() => checkSourceLimits(rows(39_999))).toThrow('too many paragraphs');
    expect(() => checkSourceLimits('x\n'.repeat(100_000))).not.toThrow();
  });

  it.each(['\n', '\r', '\r\n'])('is found with lines that end in %j', (end) => {
    expect(() => checkSourceLimits(`a${end}${end}`.repeat(40_001))).toThrow('too many paragraphs');
    expect(() => checkSourceLimits(`a${end}${end}`.repeat(40_000))).not.toThrow();
    expect(() => checkSourceLimits(`a${end}${'1. '.repeat(201)}a`)).toThrow('within each other');
  });

  it('is found by the paragraph, and across blank lines in HTML that they do not end', () => {
    const paragraphs = `${'<b>a</b> '.repeat(100)}\n\n`.repeat(1_000);
    expect(() => checkSourceLimits(paragraphs)).not.toThrow();
    expect(() => checkSourceLimits(`<!-- ${paragraphs}`)).toThrow('tags and formulas');
    expect(() => checkSourceLimits(paragraphs.replaceAll('\n\n', '\n'))).toThrow('tags and formulas');
  });

  it('is found in HTML by the depth of emphasis', () => {
    const nested = (depth: number) => `${'<em><strong>'.repeat(depth)}${'</strong></em>'.repeat(depth)}`;
    expect(() => checkHtmlLimits(nested(501))).toThrow('levels of emphasis');
    expect(() => checkHtmlLimits(nested(500).repeat(20))).not.toThrow();
  });
});

describe('what people write', () => {
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

  it('is far within the limits: a book of a thousand sections', () => {
    const book = Array.from({ length: 1_000 }, (_, n) => section(n)).join('\n');
    expect(book.length).toBeGreaterThan(300_000);
    expect(() => checkSourceLimits(book)).not.toThrow();
    expect(() => checkSourceLimits(book.replaceAll('\n', '\r\n'))).not.toThrow();
  });

  it.each([
    ['a mebibyte of log in a fence', `\`\`\`\n${'some line of a log 12\n'.repeat(47_000)}\`\`\`\n`],
    ['a fence with a shorter one in it', `\`\`\`\`\n${'```\n- a\n'.repeat(50_000)}\`\`\`\`\n`],
    ['a paragraph of short lines', 'a line of verse\n'.repeat(60_000)],
  ])('has any number of lines where they begin nothing: %s', (_, source) => {
    expect(() => checkSourceLimits(source)).not.toThrow();
  });

  it.each([
    ['after a fence', `~~~\na\n~~~\n${'- a\n'.repeat(50_000)}`],
    ['after what is no fence, being HTML', `<div>\n~~~\n</div>\n\n${'- a\n'.repeat(50_000)}`],
    ['after what is no fence, being a comment', `<!--\n\n~~~\n-->\n\n${'- a\n'.repeat(50_000)}`],
    ['after what is no fence, being indented', `    ~~~\n${'- a\n'.repeat(50_000)}`],
    ['after what is no fence, having a backtick', `\`\`\` a\`\n${'- a\n'.repeat(50_000)}`],
  ])('is counted %s', (_, source) => {
    expect(() => checkSourceLimits(source)).toThrow('too many paragraphs');
  });
});
