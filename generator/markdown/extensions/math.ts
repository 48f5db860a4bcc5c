import temml from 'temml';
import { escapeText, unescapeText } from '../text/plain-text.ts';

/** The allowed output of the engine: MathML Core and the spans of equation tags, with lengths and colours. */
const elements = new Set(
  (
    'math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover ' +
    'munderover mmultiscripts mprescripts mtable mtr mtd menclose span'
  ).split(' '),
);
const attributes = new Set(
  (
    'accent accentunder class columnalign depth display displaystyle fence form height largeop linebreak linethickness ' +
    'lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowspacing rspace ' +
    'scriptlevel separator stretchy style symmetric voffset width'
  ).split(' '),
);
const declaration =
  /^(?:color|background-color|(?:padding|margin|border)(?:-\w+)?|(?:min-)?width|height|text-align|vertical-align|display|font-(?:family|style|weight)|math-(?:depth|style|shift)|justify-content):[\w#.%() -]+$/;

const TAG = /<\/?([a-z]+)((?: [a-z]+="[^"<>]*")*)>/g;
const ATTRIBUTE = / ([a-z]+)="([^"]*)"/g;

/** Limits of one post: a formula takes some 30 µs, and each of its characters a few more. */
const MAX_TEX = 100_000;
const MAX_FORMULAS = 10_000;

/** Draws a formula, given as escaped TeX, as a block (`display`) or inline. */
export type DrawFormula = (html: string, display: boolean) => string;

/**
 * Renders one post's formulas from TeX to MathML, which browsers draw without a script. A formula that cannot be
 * parsed, or uses something that is not allowed, is shown as written, with the reason as its `title`.
 */
export function createFormulas(): DrawFormula {
  let characters = 0;
  let reported = false;
  let count = 0;
  return (html, display) => {
    const tex = unescapeText(html).trim();
    characters += tex.length;
    count += 1;
    if (characters > MAX_TEX || count > MAX_FORMULAS) {
      const reason = reported ? '' : 'The post has too many formulas to draw them all.';
      reported = true;
      return sourceWithReason(tex, reason);
    }
    try {
      const math = withoutIds(mathmlOf(tex, display));
      return isAllowedMath(math)
        ? math
        : sourceWithReason(tex, 'The formula asks for something that is not allowed.');
    } catch (error) {
      return sourceWithReason(tex, error instanceof Error ? firstLine(error.message) : '');
    }
  };
}

const MAX_EXPANSIONS = 200;

function mathmlOf(tex: string, displayMode: boolean): string {
  const options = { displayMode, throwOnError: true, maxExpand: MAX_EXPANSIONS };
  try {
    return temml.renderToString(tex, options);
  } catch (error) {
    // The engine predefines names like \R, which authors usually define themselves.
    if (!(error instanceof Error) || !error.message.includes('attempting to redefine')) throw error;
    return temml.renderToString(tex.replaceAll('\\newcommand', '\\renewcommand'), options);
  }
}

function sourceWithReason(tex: string, reason: string): string {
  const title = reason === '' ? '' : ` title="${escapeText(reason)}"`;
  return `<code class="math-error"${title}>${escapeText(tex)}</code>`;
}

const firstLine = (message: string) =>
  message
    .trim()
    .replace(/\n.*/s, '')
    .replace(/ at position \d+: *$/, '')
    .slice(0, 200);

/** Removes labels' ids, which are not unique in the page, and a style that the `display` attribute replaces. */
function withoutIds(math: string): string {
  return math
    .replaceAll(' style="display:block math;"', '')
    .replace(/(<m[a-z]+(?: [a-z]+="[^"]*")*?) id="[^"]*"/g, '$1');
}

/** Whether every element, attribute and style declaration is in the lists above. */
function isAllowedMath(math: string): boolean {
  let isAllowed = true;
  const text = math.replace(TAG, (_, name: string, list: string) => {
    isAllowed &&= elements.has(name) && Array.from(list.matchAll(ATTRIBUTE)).every(isAllowedAttribute);
    return '';
  });
  return isAllowed && !/[<>]/.test(text);
}

function isAllowedAttribute([, name = '', value = '']: RegExpExecArray): boolean {
  // A length of three or more digits, in any unit except percent, is larger than any page.
  if (!attributes.has(name) || /(?<![\d.])\d{3,}(?:\.\d+)?(?:em|ex|mu|pt|px|pc|cm|mm|in)/.test(value))
    return false;
  if (name !== 'style') return true;
  return value
    .split(';')
    .every((part) => part.trim() === '' || (declaration.test(part.trim()) && !/url/i.test(part)));
}
