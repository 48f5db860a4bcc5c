import { mathText } from './math-text.ts';
import { textWithoutImages } from './plain-text.ts';
import { joinSearchText } from './running-text.ts';

/*
 * Readable text of final HTML for excerpts and descriptions, which are shown without markup. Trusts the exact forms of
 * our additions (extend.ts), which no author can imitate.
 */

/** The table of contents only repeats the headings. */
const CONTENTS = /<nav class="toc"[^>]*>.*?<\/nav>/gs;
const DIAGRAM = /<svg [^>]*aria-roledescription="([^"]*)" aria-label="([^"]*)"[^>]*>(.*?)<\/svg>/gs;
const LABEL = /<text [^>]*>(.*?)<\/text>/gs;
const TAG = /<[^>]*>/g;
/** A callout's title that rendering has added: in English, whatever the language of the post. */
const CALLOUT_TITLE = /<p [^>]*class="markdown-alert-title">(?:Note|Tip|Important|Warning|Caution)<\/p>/g;
/** Source of diagrams and formulas that could not be drawn. */
const SOURCE =
  /<pre[^>]*><code class="language-mermaid">.*?<\/code><\/pre>|<code class="math-error"[^>]*>[^<]*<\/code>/gs;
const FORMULA = /<math(?: display="block")?[^>]*>.*?<\/math>/gs;
const IMAGE = /<img [^>]*?(?:alt="([^"]*)"[^>]*)?>/g;

/**
 * Final HTML in which diagrams are words and formulas are characters, without their source and without our own words.
 */
export function readableHtml(html: string): string {
  if (!/<nav|<svg|<math|language-mermaid|math-error|markdown-alert-title/.test(html)) return html;
  return html
    .replace(CONTENTS, '')
    .replace(SOURCE, '')
    .replace(CALLOUT_TITLE, '')
    .replace(DIAGRAM, (_, kind: string, name: string, drawing: string) => {
      const isAuthors = name.toLowerCase() !== kind;
      return `<pre>${[...(isAuthors ? [name] : []), ...labelsOf(drawing)].join(', ')}</pre>`;
    })
    .replace(FORMULA, (math) =>
      math.startsWith('<math display') ? `<pre>${mathText(math)}</pre>` : mathText(math),
    );
}

const labelsOf = (drawing: string): string[] =>
  Array.from(drawing.matchAll(LABEL), ([, label = '']) => label.replace(TAG, ' ').trim());

/** What would be soup on one line: code, drawings and tables. */
const APART = /<(pre|table)(?: [^>]*)?>.*?<\/\1>/gs;

/**
 * All text of readable HTML on one line, with the alternative texts of images in brackets: first the running text, then
 * what excerpts leave out (running-text.ts).
 */
export function searchText(html: string): string {
  const apart: string[] = [];
  const running = html.replace(APART, (block) => {
    apart.push(block);
    return ' ';
  });
  return joinSearchText(readableText(running), readableText(apart.join(' ')));
}

/**
 * All text of readable HTML on one line, with the alternative texts of images in brackets, in the order of the HTML.
 */
export const readableText = (html: string): string =>
  textWithoutImages(html.replace(IMAGE, (_, alt = '') => (alt === '' ? ' ' : ` [${alt}] `)));
