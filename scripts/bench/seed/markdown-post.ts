import { capital, createWriter, type Writer } from './writer.ts';

/** Optional elements of a post besides its prose. */
export interface Extras {
  readonly code?: boolean;
  readonly formulas?: boolean;
  readonly diagram?: boolean;
}

const WORDS_PER_SECTION = 167;

/**
 * A post of about `words` words, including headings, lists, a table and footnotes, with the extras between its
 * sections. The text is the same in every run and different for each number; the extras do not change the prose.
 */
export function markdownPost(number: number, words: number, extras: Extras): string {
  const writer = createWriter(number);
  const count = Math.max(1, Math.round(words / WORDS_PER_SECTION));
  const sections = Array.from({ length: count }, (_, index) => section(writer, index));
  const between = [
    ...(extras.code ? codeBlocks : []),
    ...(extras.formulas ? formulas : []),
    ...(extras.diagram ? [diagram] : []),
  ];
  const notes = sections.map((_, index) => `[^${index}]: ${writer.sentences(10)}`);
  const parts = sections.flatMap((text, index) => [
    text,
    ...between.filter((_, position) => position % count === index),
  ]);
  return [...parts, table(writer), ...notes].join('\n\n');
}

function section({ sentences, someWords }: Writer, index: number): string {
  const items = Array.from({ length: 4 }, () => `- **${someWords(2)}**: ${someWords(8)}`);
  return [
    `## ${capital(someWords(4))}`,
    `${sentences(50)} See [${someWords(3)}](https://example.org/${someWords(1)}).`,
    items.join('\n'),
    `${sentences(55)} Then \`${someWords(1)}\` is *${someWords(2)}*.[^${index}]`,
  ].join('\n\n');
}

function table({ someWords }: Writer): string {
  const rows = Array.from({ length: 6 }, () => `| ${someWords(1)} | ${someWords(2)} | ${someWords(1)} |`);
  return ['| One | Two | Three |', '|---|---|---:|', ...rows].join('\n');
}

const fence = (info: string, content: string) => `\`\`\`${info}\n${content.trim()}\n\`\`\``;

/** Code in six languages, 8 to 10 lines each. */
const codeBlocks: readonly string[] = [
  fence(
    'ts title="fold.ts" {6}',
    `
/** The longer side of a sheet is halved, and rounded down. */
export interface Sheet {
  readonly width: number;
  readonly height: number;
}
export function fold({ width, height }: Sheet, times = 1): Sheet {
  const folded = { width: Math.floor(height / 2), height: width };
  return times > 1 ? fold(folded, times - 1) : folded;
}`,
  ),
  fence(
    'python',
    `
from dataclasses import dataclass

@dataclass(frozen=True)
class Sheet:
    width: int
    height: int

    def fold(self) -> "Sheet":
        """A4 becomes A5."""
        return Sheet(self.height // 2, self.width)`,
  ),
  fence(
    'sh',
    `
#!/bin/sh
set -eu
for file in posts/*.md; do
  name=$(basename "$file" .md)
  if [ ! -f "out/$name.html" ]; then
    echo "pressing $name" >&2
    press < "$file" > "out/$name.html"
  fi
done`,
  ),
  fence(
    'json',
    `
{
  "name": "sheets",
  "version": "1.0.0",
  "private": true,
  "sizes": [
    { "name": "A4", "width": 210, "height": 297 },
    { "name": "A5", "width": 148, "height": 210 }
  ]
}`,
  ),
  fence(
    'css',
    `
:root {
  --paper: #fdfcf8;
}
@media print {
  .sheet:not(.cover) > p {
    margin: 0 auto 1.5em;
    color: rgb(20 20 20 / 90%);
  }
}`,
  ),
  fence(
    'sql diff',
    `
 SELECT sheet.name, count(*) AS pressed
 FROM sheet
-JOIN page ON page.sheet = sheet.id
+LEFT JOIN page ON page.sheet_id = sheet.id
 WHERE sheet.width > 100 AND page.printed_at IS NOT NULL
 GROUP BY sheet.name
 ORDER BY pressed DESC
 LIMIT 10;`,
  ),
];

const formulas: readonly string[] = [
  'The ratio is $\\sqrt{2}$, so that folding keeps it.',
  '$$\n\\frac{\\text{long side}}{\\text{short side}} = \\sqrt{2} \\approx 1.414\n$$',
  'After the folds the area is $A_n = 2^{-n} A_0$, which is little.',
  fence('math', '\\sum_{n=0}^{\\infty} 2^{-n} = \\lim_{N \\to \\infty} \\left( 2 - 2^{-N} \\right) = 2'),
  fence(
    'math',
    '\\begin{aligned}\nA_0 &= 1\\,\\mathrm{m}^2 \\\\\nw_n &= \\int_0^{h_n} x^2 \\, dx\n\\end{aligned}',
  ),
];

const diagram = fence(
  'mermaid',
  `
flowchart LR
  draft[Draft] --> publish{Publish?}
  publish -- not yet --> wait([Wait])
  publish -- yes --> press[Press the pages]
  press --> edge[(Edge)]
  press --> feed[(Feed)]
  edge --> readers((Readers))
  feed --> readers`,
);
