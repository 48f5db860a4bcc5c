import type { Heading } from '../site/post.ts';
import { createCodeBlocks } from './extensions/code-block.ts';
import { createContentsPlaceholders, fillContents } from './extensions/contents.ts';
import { createDiagrams } from './extensions/diagram.ts';
import { readFenceInfo } from './extensions/fence-info.ts';
import type { HostedImages } from './extensions/hosted-images.ts';
import { captionImages, enhanceImages, wrapTables } from './extensions/images.ts';
import { replaceLines } from './extensions/lines.ts';
import { createFormulas, type DrawFormula } from './extensions/math.ts';
import { createVideoEmbedder } from './extensions/video.ts';
import { unescapeText } from './text/plain-text.ts';

/*
 * Our additions to sanitised HTML. They read its canonical form (see sanitise.ts) with regular expressions, and treat
 * all of it as hostile: markup that looks like the parser's may have been written by the author.
 */

const CODE_BLOCK = /<pre><code((?: [^>]*)?)>([^<]*)<\/code><\/pre>/g;
const FORMULA = /<(span|code) data-math-style="(inline|display)">([^<]*)<\/\1>/g;
const MARKED = /<(?:span|code) [^>]*data-m[^>]*>/g;
const SCROLLING = /<pre(?! tabindex)/g;

/** Replaces lines that are only a video URL by the video, and `[TOC]` lines by an empty table of contents. */
export function extendLines(html: string): string {
  // Most posts have neither.
  if (!/youtu|\[toc\]/i.test(html)) return html;
  const placeContents = createContentsPlaceholders();
  const embedVideo = createVideoEmbedder();
  return replaceLines(html, (line) => placeContents(line) ?? embedVideo(line));
}

/** Fills the table of contents, draws code, formulas and diagrams, and adapts images and tables to pages. */
export function extendBlocks(html: string, headings: readonly Heading[], images: HostedImages): string {
  const contained = wrapTables(
    enhanceImages(captionImages(fillContents(setDirections(html), headings)), images),
  );
  const formula = createFormulas();
  return cleanUp(drawFormulas(drawCode(contained, formula), formula));
}

function drawCode(html: string, formula: DrawFormula): string {
  if (!html.includes('<pre>')) return html;
  const drawDiagram = createDiagrams();
  const drawBlock = createCodeBlocks();
  return html.replace(CODE_BLOCK, (_, attributes: string, code: string) => {
    const [, language = ''] = / class="language-([^" ]*)"/.exec(attributes) ?? [];
    const [, meta = ''] = / data-meta="([^"]*)"/.exec(attributes) ?? [];
    if (language === 'math') return `<p>${formula(code, true)}</p>`;
    const diagram = language === 'mermaid' ? drawDiagram(code) : null;
    return diagram ?? drawBlock(code, readFenceInfo(unescapeText(language), unescapeText(meta)));
  });
}

function drawFormulas(html: string, formula: DrawFormula): string {
  return html.replace(FORMULA, (_, __, style: string, tex: string) => formula(tex, style === 'display'));
}

/** Letters of right-to-left scripts, and block elements without a `dir` attribute. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const BLOCK = /<(?:p|h[1-6]|li|ul|ol|blockquote|table|td|th|dt|dd)(?=[ >])(?![^>]* dir=")/g;

/** In a post with right-to-left text, gives every block `dir="auto"`, as GitHub does: its first letter decides. */
function setDirections(html: string): string {
  return RIGHT_TO_LEFT.test(html) ? html.replace(BLOCK, (tag) => `${tag} dir="auto"`) : html;
}

/** The parser puts a task's checkbox before the task's first paragraph; it belongs inside. */
const LOOSE_TASK = /(<input type="checkbox" class="task-list-item-checkbox"[^>]*>) ?\n(<p(?: dir="auto")?>)/g;

/**
 * Removes unused marks, makes scrolling code focusable by keyboard, and gives the footnotes a role for screen readers.
 */
function cleanUp(html: string): string {
  return html
    .replace(LOOSE_TASK, '\n$2$1 ')
    .replace('<section class="footnotes">', '<section class="footnotes" role="doc-endnotes">')
    .replace(MARKED, (tag) => tag.replace(/ data-(?:meta|math-style)="[^"]*"/g, ''))
    .replace(SCROLLING, '<pre tabindex="0"');
}
