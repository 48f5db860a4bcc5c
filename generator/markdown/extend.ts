import { createCodeBlocks } from './extensions/code-block.ts';
import { createContentsPlacer, fillContents } from './extensions/contents.ts';
import { createDiagrams } from './extensions/diagram.ts';
import { readFenceInfo } from './extensions/fence-info.ts';
import { type HostedImages, tendImages, wrapTables } from './extensions/images.ts';
import { replaceLines } from './extensions/lines.ts';
import { createFormulas, type DrawFormula } from './extensions/math.ts';
import { createVideoEmbedder } from './extensions/video.ts';
import type { Heading } from './headings.ts';
import { unescapeText } from './text/plain-text.ts';

/*
 * Our additions to sanitised HTML. They read its canonical form (see sanitise.ts) with regular expressions that cannot
 * run out of step with it, and take every word in it for hostile: also what looks like the parser's own marks may have
 * been written by the author.
 */

const CODE_BLOCK = /<pre><code((?: [^>]*)?)>([^<]*)<\/code><\/pre>/g;
const FORMULA = /<(span|code) data-math-style="(inline|display)">([^<]*)<\/\1>/g;
const MARKED = /<(?:span|code) [^>]*data-m[^>]*>/g;
const SCROLLING = /<pre(?! tabindex)/g;

/** What stands alone on its line: addresses of videos, and the marker of the table of contents, still empty. */
export function extendLines(html: string): string {
  // Most posts have neither.
  if (!/youtu|\[toc\]/i.test(html)) return html;
  const placeContents = createContentsPlacer();
  const embedVideo = createVideoEmbedder();
  return replaceLines(html, (line) => placeContents(line) ?? embedVideo(line));
}

/** Everything that is drawn: contents, code, formulas, diagrams; images and tables as pages want them. */
export function extendBlocks(html: string, headings: readonly Heading[], images: HostedImages): string {
  const contained = wrapTables(tendImages(fillContents(orient(html), headings), images));
  const formula = createFormulas();
  return finish(drawFormulas(drawCode(contained, formula), formula));
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

/** Letters of scripts that run from right to left; blocks that may hold them and say nothing of it. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const BLOCK = /<(?:p|h[1-6]|li|ul|ol|blockquote|table|td|th|dt|dd)(?=[ >])(?![^>]* dir=")/g;

/** As on GitHub: each block of a post that mixes directions runs as its own first letter does. */
function orient(html: string): string {
  return RIGHT_TO_LEFT.test(html) ? html.replace(BLOCK, (tag) => `${tag} dir="auto"`) : html;
}

/** The parser puts the box of a task before the task's first paragraph, where it belongs into it. */
const LOOSE_TASK = /(<input type="checkbox" class="task-list-item-checkbox"[^>]*>) ?\n(<p(?: dir="auto")?>)/g;

/**
 * Takes off marks that nothing came of, gives the keyboard a way into code that scrolls, and readers of the screen a
 * word for what stands at the end.
 */
function finish(html: string): string {
  return html
    .replace(LOOSE_TASK, '\n$2$1 ')
    .replace('<section class="footnotes">', '<section class="footnotes" role="doc-endnotes">')
    .replace(MARKED, (tag) => tag.replace(/ data-(?:meta|math-style)="[^"]*"/g, ''))
    .replace(SCROLLING, '<pre tabindex="0"');
}
