import { describe } from './description.ts';
import { anchorHeadings, type Heading } from './headings.ts';
import { languageOf } from './language.ts';
import { parseToHtml } from './parse.ts';
import { plainText } from './plain-text.ts';
import { sanitise } from './sanitise.ts';
import { countWords } from './words.ts';

export interface RenderedMarkdown {
  /** Sanitised HTML with heading ids and anchors. */
  readonly html: string;
  readonly headings: readonly Heading[];
  /** Plain text of about 155 characters for previews; empty only for a post without text. */
  readonly description: string;
  /** All text without markup, code included, for search. */
  readonly text: string;
  readonly wordCount: number;
  /** BCP 47 code of the language that the script gives away, or null. */
  readonly lang: string | null;
}

/**
 * Renders a post: parse, sanitise, then add what is ours, then read the other outputs off the result.
 * What an extension draws (a formula, a diagram, highlighted code) belongs after the sanitiser, on its canonical
 * HTML, so that the allow-list stays as narrow as what an author may write.
 *
 * Pure and synchronous, and as slow as its source is hostile: behind an API it runs in `createMarkdownPool`.
 * Throws `MarkdownRefused`, and whatever the parser fails with (see `parseToHtml`).
 */
export function renderMarkdown(source: string): RenderedMarkdown {
  const safe = sanitise(parseToHtml(source));
  const { html, headings } = anchorHeadings(safe);
  const text = plainText(safe);
  return {
    html,
    headings,
    description: describe(safe),
    text,
    wordCount: countWords(text),
    lang: languageOf(text),
  };
}
