import type { Heading } from '../site/post.ts';
import { extendBlocks, extendLines } from './extend.ts';
import { replaceShortCodes } from './extensions/emoji.ts';
import { type HostedImages, noImages } from './extensions/hosted-images.ts';
import { repairFootnotes } from './footnotes.ts';
import { addHeadingAnchors } from './headings.ts';
import { outboundLinks } from './links.ts';
import { parseToHtml } from './parse.ts';
import { escapeLookalikes, markParserAttributes, removeMarks } from './parser-marks.ts';
import { sanitise } from './sanitise.ts';
import { describe } from './text/description.ts';
import { detectLanguage } from './text/language.ts';
import { readableHtml, searchText } from './text/readable-html.ts';
import { runningText } from './text/running-text.ts';
import { countWords, readingMinutes } from './text/words.ts';

export interface RenderedMarkdown {
  /** Sanitised HTML with our additions: heading ids and anchors, formulas, diagrams, highlighted code, ... */
  readonly html: string;
  readonly headings: readonly Heading[];
  /** Plain text of about 155 characters for link previews; empty only if the post has no text. */
  readonly description: string;
  /**
   * All text for search: without markup, code included, formulas and diagrams in words. Its running text comes first
   * (text/running-text.ts).
   */
  readonly text: string;
  readonly wordCount: number;
  /** Whole minutes, at least one. */
  readonly readingMinutes: number;
  /** BCP 47 code of the language detected from the script; null for Latin (text/language.ts). */
  readonly lang: string | null;
  /**
   * Absolute http and https URLs, and references to uploaded images, that the post links to, without duplicates, in
   * document order.
   */
  readonly links: readonly string[];
}

/**
 * Renders a post: parses and sanitises it, makes our additions, then derives the other outputs from the result.
 * Extensions that draw (formulas, diagrams, highlighted code) run after the sanitiser, on its canonical HTML, so that
 * the allow-list only needs the elements that an author may write.
 *
 * `images` are the uploaded images that the post may show. Pure and synchronous, and slow on a hostile source: servers
 * must use `createMarkdownPool`. Throws `MarkdownRefused`, and any error of the parser (see `parseToHtml`).
 */
export function renderMarkdown(source: string, images: HostedImages = noImages): RenderedMarkdown {
  // The parser keeps line ends within code unchanged, and browsers treat a lone carriage return as a line end.
  return finishHtml(safeHtml(source.replace(/\r\n?/g, '\n')), images);
}

/** A source's HTML before our additions. */
const safeHtml = (source: string): string =>
  removeMarks(sanitise(markParserAttributes(repairFootnotes(parseToHtml(escapeLookalikes(source))))));

/** The second half of `renderMarkdown`, for HTML in the sanitiser's canonical form. Trusts it to be safe. */
export function finishHtml(sanitised: string, images: HostedImages = noImages): RenderedMarkdown {
  const extended = extendLines(sanitised);
  // Before emoji are drawn: heading ids keep the names of short codes.
  const { html: anchored, headings } = addHeadingAnchors(extended);
  const html = extendBlocks(replaceShortCodes(anchored), headings, images);
  const readableForm = readableHtml(html);
  const text = searchText(readableForm);
  const wordCount = countWords(text);
  return {
    html,
    headings,
    description: describe(readableForm),
    text,
    wordCount,
    readingMinutes: readingMinutes(wordCount),
    // Code is in Latin letters, whatever the language of the post.
    lang: detectLanguage(runningText(text) || text),
    links: outboundLinks(html),
  };
}
