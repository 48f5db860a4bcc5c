import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../../generator/markdown/render.ts';
import { withPostWords } from '../../../generator/words/post-words.ts';

/** Everything in which rendering adds words of its own. */
const source = `# Überschrift & mehr

[TOC]

## 🎉

Text[^a] und noch einmal[^a].

${['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION'].map((kind) => `> [!${kind}]\n> x\n`).join('\n')}
> [!NOTE] Eigener Titel
> x

- [x] eins
- [ ] zwei

https://youtu.be/dQw4w9WgXcQ

https://youtu.be/dQw4w9WgXcQ

\`\`\`mermaid
flowchart LR
  A --> B
\`\`\`

\`\`\`mermaid
---
title: Eigener Name
---
sequenceDiagram
  A->>B: x
\`\`\`

$\\kern{5000em}x$

[^a]: Fußnote
`;
const { html, text } = renderMarkdown(source);

/** Words that a reader sees or hears: texts, and the values of some attributes. */
const wordsOf = (page: string): string[] => [
  ...Array.from(
    page.matchAll(/ (?:aria-label|aria-roledescription|title)="([^"]*)"/g),
    ([, word = '']) => word,
  ),
  ...Array.from(page.matchAll(/markdown-alert-title"[^>]*>([^<]*)/g), ([, word = '']) => word),
];

describe('the words that rendering adds to a post', () => {
  test('they are stored in English, and stay so on English pages', () => {
    for (const lang of ['en', 'en-GB']) expect(withPostWords(html, lang)).toBe(html);
  });

  test('they are in the language of the page', () => {
    expect(wordsOf(withPostWords(html, 'de'))).toEqual([
      'Permalink: Überschrift &amp; mehr',
      'Inhalt',
      'Permalink: 🎉',
      ...['Erledigte Aufgabe', 'Offene Aufgabe', 'YouTube-Video', 'YouTube-Video 2'],
      ...['Flussdiagramm', 'Flussdiagramm', 'Sequenzdiagramm', 'Eigener Name'],
      'Die Formel verlangt etwas, das nicht erlaubt ist.',
      ...['Zurück zur Textstelle 1', 'Zurück zur Textstelle 1-2'],
      ...['Hinweis', 'Tipp', 'Wichtig', 'Warnung', 'Vorsicht', 'Eigener Titel'],
    ]);
  });

  test('all of them are found: what is left in English is what the author wrote', () => {
    const left = wordsOf(withPostWords(html, 'ja')).filter((word) => wordsOf(html).includes(word));
    expect(left).toEqual(['Eigener Name', 'Eigener Titel']);
  });

  test('nothing else changes', () => {
    const bare = (page: string) =>
      page.replace(/ (?:aria-label|aria-roledescription|title)="[^"]*"|title">\w+</g, '');
    expect(bare(withPostWords(html, 'de'))).toBe(bare(html));
  });

  test('without a translation, a visible word says that it is English', () => {
    const page = withPostWords(html, 'sw');
    expect(page).toContain('<p class="markdown-alert-title" lang="en">Note</p>');
    expect(
      page
        .replaceAll(' lang="en">', '>')
        .replaceAll('"Flowchart" aria', '"flowchart" aria')
        .replace('"Sequence diagram" aria', '"sequence diagram" aria'),
    ).toBe(html);
  });

  test('right-to-left posts have them too', () => {
    const arabic = renderMarkdown('> [!NOTE]\n> مرحبا\n').html;
    expect(withPostWords(arabic, 'ar')).toContain('<p dir="auto" class="markdown-alert-title">ملاحظة</p>');
  });

  test('none of them is in the text that is searched', () => {
    expect(text).not.toMatch(/Note|Tip|Important|Warning|Caution|Flowchart/);
    expect(text).toContain('Eigener Titel');
    expect(text).toContain(' Fußnote \u241e A, B Eigener Name, x, A, B');
  });

  test('an author’s own markup keeps its words', () => {
    const own = renderMarkdown(
      '<p class="markdown-alert-title">Note</p>\n\n<a class="anchor" href="#x" aria-label="Permalink">x</a>\n\n<p title="YouTube video">x</p>\n\n`<p class="markdown-alert-title">Note</p>`',
    ).html;
    expect(withPostWords(own, 'de')).toBe(own);
  });
});
