import { mathText } from './math-text.ts';
import { writtenText } from './plain-text.ts';

/*
 * What readers read of finished HTML, where no page draws it: excerpts and descriptions. Trusts the forms in which our
 * additions are written (extend.ts), which no author can imitate.
 */

/** Repeats the headings. */
const CONTENTS = /<nav class="toc"[^>]*>.*?<\/nav>/gs;
const DIAGRAM = /<svg [^>]*aria-label="([^"]*)"[^>]*>(.*?)<\/svg>/gs;
const LABEL = /<text [^>]*>(.*?)<\/text>/gs;
const TAG = /<[^>]*>/g;
/** What could not be drawn. */
const SOURCE =
  /<pre[^>]*><code class="language-mermaid">.*?<\/code><\/pre>|<code class="math-error"[^>]*>[^<]*<\/code>/gs;
const FORMULA = /<math(?: display="block")?[^>]*>.*?<\/math>/gs;
const IMAGE = /<img [^>]*?(?:alt="([^"]*)"[^>]*)?>/g;

/** Finished HTML with words for diagrams, characters for formulas, and no source of either. */
export function readable(html: string): string {
  if (!/<nav|<svg|<math|language-mermaid|math-error/.test(html)) return html;
  return html
    .replace(CONTENTS, '')
    .replace(SOURCE, '')
    .replace(DIAGRAM, (_, name: string, drawing: string) => `[${[name, ...labelsOf(drawing)].join(', ')}]`)
    .replace(FORMULA, (math) =>
      math.startsWith('<math display') ? `<pre>${mathText(math)}</pre>` : mathText(math),
    );
}

const labelsOf = (drawing: string): string[] =>
  Array.from(drawing.matchAll(LABEL), ([, label = '']) => label.replace(TAG, ' ').trim());

/** All text of readable HTML on one line, code included, and what images show in brackets. */
export const searchText = (html: string): string =>
  writtenText(html.replace(IMAGE, (_, alt = '') => (alt === '' ? ' ' : ` [${alt}] `)));
