import { extendBlocks, extendLines } from './extend.ts';
import { drawEmoji } from './extensions/emoji.ts';
import { type HostedImages, noImages } from './extensions/images.ts';
import { mendFootnotes } from './footnotes.ts';
import { anchorHeadings, type Heading } from './headings.ts';
import { outboundLinks } from './links.ts';
import { markOwn, spoil, withoutMarks } from './own-marks.ts';
import { parseToHtml } from './parse.ts';
import { sanitise } from './sanitise.ts';
import { describe } from './text/description.ts';
import { languageOf } from './text/language.ts';
import { readable, searchText } from './text/readable.ts';
import { countWords, readingMinutes } from './text/words.ts';

export interface RenderedMarkdown {
  /** Sanitised HTML with everything that we add: heading ids and anchors, formulas, diagrams, coloured code, ... */
  readonly html: string;
  readonly headings: readonly Heading[];
  /** Plain text of about 155 characters for previews; empty only for a post without text. */
  readonly description: string;
  /** All text as readers read it, for search: without markup, code included, formulas and diagrams in words. */
  readonly text: string;
  readonly wordCount: number;
  /** Whole minutes, at least one. */
  readonly readingMinutes: number;
  /** BCP 47 code of the language that the script gives away, or null. */
  readonly lang: string | null;
  /** Absolute http and https addresses that the post links to, each once, in order. */
  readonly links: readonly string[];
}

/**
 * Renders a post: parse, sanitise, then add what is ours, then read the other outputs off the result.
 * What an extension draws (a formula, a diagram, highlighted code) belongs after the sanitiser, on its canonical
 * HTML, so that the allow-list stays as narrow as what an author may write.
 *
 * `images` are the uploaded images that the post may show. Pure and synchronous, and as slow as its source is
 * hostile: behind an API it runs in `createMarkdownPool`. Throws `MarkdownRefused`, and whatever the parser fails with
 * (see `parseToHtml`).
 */
export function renderMarkdown(source: string, images: HostedImages = noImages): RenderedMarkdown {
  // The parser keeps the line ends within code as they are, and browsers take a lone return for one of its own.
  return finishHtml(safeHtml(source.replace(/\r\n?/g, '\n')), images);
}

/** What comes of a source before anything is added. */
const safeHtml = (source: string): string =>
  withoutMarks(sanitise(markOwn(mendFootnotes(parseToHtml(spoil(source))))));

/** What `renderMarkdown` does with HTML in the sanitiser's canonical form. Trusts it to be safe. */
export function finishHtml(sanitised: string, images: HostedImages = noImages): RenderedMarkdown {
  const coded = extendLines(sanitised);
  // Before the emoji: ids of headings keep the names of short codes.
  const { html: anchored, headings } = anchorHeadings(coded);
  const html = extendBlocks(drawEmoji(anchored), headings, images);
  const read = readable(html);
  const text = searchText(read);
  const wordCount = countWords(text);
  return {
    html,
    headings,
    description: describe(read),
    text,
    wordCount,
    readingMinutes: readingMinutes(wordCount),
    lang: languageOf(text),
    links: outboundLinks(html),
  };
}
