/** Sources of up to a mebibyte that cost more than their size suggests. */
const MEBI = 1 << 20;

const filled = (part: string, bytes = MEBI) => part.repeat(bytes / Buffer.byteLength(part));

/** As many numbered parts as fit. */
function counted(part: (n: number) => string, bytes = MEBI): string {
  const parts: string[] = [];
  let left = bytes;
  for (let n = 0; left > 0; n += 1) {
    const next = part(n);
    left -= next.length;
    if (left >= 0) parts.push(next);
  }
  return parts.join('');
}

const numbered = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join('');

const nested = (open: string, close: string, depth = Math.floor((MEBI - 1) / (open.length + close.length))) =>
  `${open.repeat(depth)}a${close.repeat(depth)}`;

const table = (columns: number, rows: string) =>
  `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${rows}`;

const named = (parts: readonly string[], make: (part: string) => string) =>
  parts.map((part): [string, string] => [JSON.stringify(part), make(part)]);

/** Costlier than a mebibyte of plain text, but rendered within a second or two. */
const rendered = [
  ...[
    '[',
    '*',
    '_',
    '`',
    '|',
    '$',
    '&',
    '\\',

    ':',
    '-',
    '\0',
    '\n',

    ' ',
    'a',
    '一',
    '"',
    'a\u0301\u0301',
  ],
  ...[
    '*a ',
    '*a _b ',
    'a**b ',

    '![',
    '![a](',
    '[a](',

    '[a][b]',
    '$a ',

    ':a',
    ':smile:',
  ],
  ...[
    'http://',
    'http://a.b ',
    'http://a.b/',
    'www.',

    'mailto:',
    '&#x3c;b&#x3e;',
    '&amp',
    '\\*',
  ],
];

/** Lines and blocks, as many as the limits allow. */
const lines = [
  ...[
    'a\n\n',
    '# a\n',
    'a\n-\n',
    '***\n',
    '- a\n',
    '- a\n\n',
    '- a\n\n  b\n',
    '1. a\n',
    '- [ ] a\n',
    '- a\n  - b\n',
    '> a\n\n',
  ],
  ...[
    '> [!NOTE]\n\n',
    '- a\n+ a\n',
    '[a]: b\n',
    '```\na\n```\n',
    '```math\na\n```\n',
    '<div>\n\n',
    '![a](b)\n\n',
    '$$a\n\n',
    '    a\n\n',
  ],
];

export const bearable: readonly (readonly [name: string, source: string])[] = [
  ...named(rendered, (part) => filled(part)),
  ...named(lines, (part) => part.repeat(40_000 / (part.match(/\S.*/g)?.length ?? 1))),
  ['runs of backticks, longer and longer', counted((n) => `${'`'.repeat(n)} `)],
  ['runs of backticks after dollars', counted((n) => `$${'`'.repeat(n)} `)],
  ['list items, deeper and deeper', counted((n) => `${'  '.repeat(n)}- a\n`)],
  ['numbers, deeper and deeper', counted((n) => `${'   '.repeat(n)}1. a\n`)],
  ['inner lists, deeper and deeper', counted((n) => `${' '.repeat(398 * n)}${'- '.repeat(199)}a\n`)],
  ['quotes of 200 levels', `${'>'.repeat(200)}a\n`.repeat(200)],
  ['a quote with a lazy rest', `${'>'.repeat(200)}a\n${'b\n'.repeat(39_000)}`],
  ['one footnote, often referred to', `${'[^a]'.repeat(9_999)}\n\n[^a]: x`],
  ['many footnotes', `${numbered(5_000, (n) => `[^${n}]\n`)}\n${numbered(5_000, (n) => `[^${n}]: x\n\n`)}`],
  ['footnotes that refer to the next', `${numbered(4_990, (n) => `[^${n}]: [^${n + 1}]\n\n`)}[^0]`],
  ['links to one long definition', `[a]: ${'/x'.repeat(50_000)}\n\n${filled('[a]', MEBI / 2)}`],
  ['definitions, all different', numbered(40_000, (n) => `[${n}]: b\n`)],
  ['headings, all different', numbered(40_000, (n) => `# a${n}\n`)],
  ['headings with their contents', `[toc]\n\n${'# a\n'.repeat(39_999)}`],
  ['a heading of one long line', `# ${filled('a ', MEBI - 2)}`],
  ['a heading of many lines', `${'a\n'.repeat(39_999)}===`],
  ['a long, narrow table', table(2, '|x|y|\n'.repeat(9_900))],
  ['a short, wide table', table(400, '|x'.repeat(400))],
  ['short rows under a wide header', table(400, 'x\n'.repeat(1_000))],
  ['many small tables', '|a|b|\n|-|-|\n|c|d|\n\n'.repeat(3_300)],
  ['links in links', nested('[', '](a)')],
  ['images in images', nested('![', '](a)')],
  ['brackets in brackets', nested('[', ']')],
  ['emphasis in emphasis', nested('*a ', ' a*', 1_000)],
  ['elements in elements', nested('<div>', '</div>', 9_000)],
  ['quotations of HTML', nested('<blockquote>\n\n', '\n\n</blockquote>', 10_000)],
  ['unclosed tags', '<b>'.repeat(20_000)],
  ['headings in headings', '<h1><h2>'.repeat(5_000)],
  ['unclosed headings', '<h1>a\n\n'.repeat(20_000)],
  ['a tag with many attributes', `<a${counted((n) => ` a${n}=b`)}>`],
  ['a source set', `<img srcset="${filled('a 1x,', MEBI / 2)}">`],
  ['e-mail addresses', 'a@a.b '.repeat(5_000)],
  ['an address with brackets at its end', `http://a.b/${'a'.repeat(MEBI / 2)}${').'.repeat(499)}`],
];

const tooMany = {
  blocks: 'paragraphs, list items, table cells and the like',
  searches: 'tags and formulas without an empty line between them',
  footnotes: 'footnotes and references to them',
  nesting: 'quotes and lists within each other',
  emphasis: 'levels of emphasis within each other',
};

/** Sources beyond a limit, with what the refusal says is too much. */
export const unbearable: readonly (readonly [name: string, source: string, tooMany: string])[] = [
  ...named([...lines, '> [!NOTE]\n> a\n\n', '~~~\na\n', '|a|b|\n|-|-|\n\n'], (part) => filled(part)).map(
    ([name, source]) => [name, source, tooMany.blocks] as const,
  ),
  ...named(
    [
      '<',
      '<a ',
      '<!--',
      'a <!--',
      '<?',
      '<!A ',
      '<![CDATA[',
      '<div>',
      '<b>',
      '<a b="',
      '<h1><h2>',
      '</p>',
      '<script>',
      '$`',
      '$`a',
      '`$',
      '[](<',
    ],
    (part) => filled(part),
  ).map(([name, source]) => [name, source, tooMany.searches] as const),
  ['elements in elements', nested('<div>', '</div>'), tooMany.searches],
  ['50,000 headings', '# a\n'.repeat(50_000), tooMany.blocks],
  ['50,000 headings, all different', numbered(50_000, (n) => `# a${n}\n`), tooMany.blocks],
  ['lists in lists, everywhere', filled(`${'- '.repeat(20)}a\n`), tooMany.blocks],
  ['paragraphs of hard spaces', filled('\u00a0\n\n'), tooMany.blocks],
  ['quotes in quotes', filled('>'), tooMany.nesting],
  ['quotes in quotes, spaced', filled('> '), tooMany.nesting],
  ['lists in lists', `${filled('- ')}a`, tooMany.nesting],
  ['numbers in numbers', `${filled('1. ')}a`, tooMany.nesting],
  ['10,000 quotes in each other', `${'>'.repeat(10_000)}a`, tooMany.nesting],
  ['10,000 lists in each other', `${'- '.repeat(10_000)}a`, tooMany.nesting],
  ['quotes in lists in quotes', filled('> - '), tooMany.nesting],
  ['a long table', table(2, filled('|x|y|\n')), tooMany.blocks],
  ['a long, wide table', table(400, 'x\n'.repeat(30_000)), 'table cells, short rows filled up'],
  ['a table without end to its side', table(19_000, 'x\n'.repeat(20)), 'table columns'],
  ['one footnote, referred to on and on', `${filled('[^a]')}\n\n[^a]: x`, tooMany.footnotes],
  ['footnotes without end', numbered(15_000, (n) => `[^${n}]: x\n\n`), tooMany.footnotes],
  ['emphasis in emphasis', nested('*a ', ' a*'), tooMany.emphasis],
  ['10,000 levels of emphasis', nested('*a _b ', ' b_ a*', 5_000), tooMany.emphasis],
  ['strikes in strikes', nested('~~a ', ' a~~'), tooMany.emphasis],
  ...named(['a@a.b ', 'a@', 'a@a.'], (part) => filled(part)).map(
    ([name, source]) => [name, source, 'e-mail addresses'] as const,
  ),
  [
    'an address with brackets at its end',
    `http://a.b/${filled(').', 100_000)}`,
    'closing parentheses in a row',
  ],
  ['formulas without end', filled('$a$'), 'characters of HTML'],
];
