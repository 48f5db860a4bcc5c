import sanitizeHtml, { type Attributes, type IFrame, type IOptions, type Tag } from 'sanitize-html';
import { UNVOUCHED } from './links.ts';
import { PARSER_MARK } from './parser-marks.ts';

/**
 * The allow-list: the elements that GitHub allows, except obsolete ones (rewritten below). Never add elements whose
 * content browsers parse by other rules (script, style, svg, math, noscript, ...): our own markup is added after the
 * sanitiser.
 */
const elements = [
  // The most frequent come first: the list is searched from the beginning for every tag.
  ...['p', 'a', 'strong', 'em', 'code', 'li', 'td', 'tr', 'h2', 'ul', 'span', 'sup'],
  ...['pre', 'br', 'img', 'h3'],
  ...['h1', 'h4', 'h5', 'h6', 'div', 'section', 'blockquote', 'hr', 'wbr'],
  ...['ol', 'dl', 'dt', 'dd', 'details', 'summary', 'figure', 'figcaption', 'input'],
  ...['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'th', 'picture', 'source'],
  ...['b', 'i', 'u', 's', 'del', 'ins', 'mark', 'small', 'sub', 'kbd', 'samp', 'var', 'q', 'cite', 'dfn'],
  ...['abbr', 'time', 'bdi', 'bdo', 'ruby', 'rt', 'rp'],
];

const alignAttribute = { name: 'align', values: ['left', 'center', 'right', 'justify'] };
const cell = ['colspan', 'rowspan', 'headers', 'scope', 'abbr'];
const cellClasses = ['align-left', 'align-center', 'align-right'];

const options: IOptions = {
  allowedTags: elements,
  allowedAttributes: {
    '*': ['dir', 'id', 'lang', 'title'],
    a: ['href', 'hreflang', 'rel', 'aria-label'],
    // A fence's info after its language, and the mark of a formula: see extend.ts.
    code: ['data-meta', 'data-math-style'],
    span: ['data-math-style'],
    img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', alignAttribute],
    source: ['srcset', 'sizes', 'media', 'type', 'width', 'height'],
    input: ['type', 'checked', 'disabled', 'aria-label'],
    ol: ['start', 'reversed', 'type'],
    li: ['value'],
    col: ['span'],
    colgroup: ['span'],
    td: cell,
    th: cell,
    blockquote: ['cite'],
    q: ['cite'],
    del: ['cite', 'datetime'],
    ins: ['cite', 'datetime'],
    time: ['datetime'],
    details: ['open'],
    ...Object.fromEntries(
      ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div'].map((name) => [name, [alignAttribute]]),
    ),
  },
  // Only the parser's classes, and those that replace an attribute.
  allowedClasses: {
    a: [`${PARSER_MARK}footnote-backref`],
    code: ['language-*'],
    div: [`${PARSER_MARK}markdown-alert`, `${PARSER_MARK}markdown-alert-*`],
    p: [`${PARSER_MARK}markdown-alert-title`],
    input: ['task-list-item-checkbox'],
    li: ['task-list-item'],
    ol: ['contains-task-list'],
    section: [`${PARSER_MARK}footnotes`],
    sup: [`${PARSER_MARK}footnote-ref`],
    td: cellClasses,
    th: cellClasses,
    ul: ['contains-task-list'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  // The library looks `srcset` up under the attribute's name.
  allowedSchemesByTag: { img: ['http', 'https'], srcset: ['http', 'https'] },
  selfClosing: ['br', 'col', 'hr', 'img', 'input', 'source', 'wbr'],
  // Browsers stop at 512 levels, and recursive tree walks fail sooner.
  nestingLimit: 200,
  transformTags: { '*': rewrite },
  exclusiveFilter: isDropped,
};

/**
 * Returns HTML that is safe to publish, in a canonical form: lower-case names, double-quoted values, only the entities
 * of `&`, `<`, `>` and `"`, and every element closed. Later steps rely on that form.
 *
 * - Links to other hosts get `rel="nofollow ugc noopener"`: the host's operator does not vouch for its authors. Blogs
 *   that search engines may index drop the first two (`linksFor`).
 * - An author's own id (or `<a name>`) gets the prefix `user-content-`, so that it cannot shadow a global of the
 *   page's scripts; `linkFragments` in headings.ts updates links to it. Footnote ids (`fn-…`, `fnref-…`), and the
 *   classes of footnotes and callouts, are kept if they are marked as the parser's (parser-marks.ts).
 */
export function sanitise(html: string): string {
  return sanitizeHtml(html, options);
}

/** A `srcset`: URLs, each with an optional width or density (HTML, 4.8.4.2.1). */
const SRCSET = new RegExp(
  String.raw`^\s*(?:U(?:\s+D\s*,\s*|,\s+))*U(?:\s+D)?\s*$`
    .replaceAll('U', String.raw`[^\s,]\S*`)
    .replaceAll('D', String.raw`(?:[1-9]\d{0,4}w|\d{1,3}(?:\.\d{1,3})?x)`),
);

const replacements: Readonly<Record<string, string>> = {
  center: 'div',
  strike: 's',
  tt: 'code',
  acronym: 'abbr',
};

function rewrite(tagName: string, attribs: Attributes): Tag {
  const name = Object.hasOwn(replacements, tagName) ? replacements[tagName] : undefined;
  if (tagName === 'a') rewriteLink(attribs);
  if (tagName === 'center') attribs.align = 'center';
  if (tagName === 'td' || tagName === 'th') alignCell(attribs);
  if (tagName === 'input') {
    // GitHub's wording. Without a label the checkbox has no accessible name.
    attribs['aria-label'] = 'checked' in attribs ? 'Completed task' : 'Incomplete task';
  }
  if (attribs.id !== undefined) rewriteId(attribs, attribs.id);
  // The library's own `srcset` parser prints invalid values to the console.
  if (attribs.srcset !== undefined && !SRCSET.test(attribs.srcset)) delete attribs.srcset;
  return { tagName: name ?? tagName, attribs };
}

/** Replaces `align`, which is obsolete but written by the parser, by a class. */
function alignCell(attribs: Attributes): void {
  if (attribs.align !== undefined) attribs.class = `align-${attribs.align.toLowerCase()}`;
}

function rewriteLink(attribs: Attributes): void {
  if (attribs.name !== undefined) attribs.id ??= attribs.name;
  delete attribs.rel;
  if (attribs.href !== undefined && isExternal(attribs.href)) attribs.rel = UNVOUCHED;
}

/** Browsers remove control characters and spaces, and treat a backslash as a slash. */
function isExternal(href: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that browsers remove
  return /^(?:https?:|[\\/]{2})/i.test(href.replace(/[\u0000-\u0020]/g, ''));
}

function rewriteId(attribs: Attributes, id: string): void {
  if (id.startsWith(PARSER_MARK)) return;
  if (/^\S+$/.test(id)) attribs.id = `user-content-${id}`;
  else delete attribs.id;
}

/** Inputs other than disabled checkboxes, and images without a URL. */
function isDropped({ tag, attribs }: IFrame): boolean {
  if (tag === 'input') return attribs.type !== 'checkbox' || attribs.disabled === undefined;
  return tag === 'img' && attribs.src === undefined && attribs.srcset === undefined;
}
