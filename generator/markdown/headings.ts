import type { Heading } from '../site/post.ts';
import { expandShortCodes } from './extensions/emoji.ts';
import { escapeText, plainText } from './text/plain-text.ts';

export interface AnchoredHtml {
  readonly html: string;
  readonly headings: readonly Heading[];
}

const HEADING = /<h([1-6])((?: [^>]*)?)>(.*?)<\/h\1>/gs;
/** Matches only within a tag: code that shows HTML has the same characters in its text. */
const ID = /<[^>]* id="([^"]*)"/g;
const FRAGMENT_LINK = /(<a (?:[^>]* )?href="#)([^"]*)"/g;
const OWN_ID = / id="user-content-([^"]*)"/;

/**
 * Gives every heading of sanitised HTML an id by GitHub's algorithm and, after its content, a link to itself, which the
 * theme makes visible. Then updates the post's own `#…` links to the new ids.
 *
 * Ids have no prefix, so that links work without a script. In browsers an id shadows only globals that do not exist, so
 * a page's scripts must not test for globals by bare name.
 */
export function addHeadingAnchors(html: string): AnchoredHtml {
  const headings: Heading[] = [];
  const aliases = new Map<string, string>();
  const uniqueId = idMaker(takenIds(html));
  const anchored = html.replace(HEADING, (_, digit: string, attributes: string, content: string) => {
    // As on GitHub, the id has an emoji's short code by name.
    const written = plainText(content);
    const text = expandShortCodes(written);
    const id = uniqueId(written);
    const own = OWN_ID.exec(attributes)?.[1];
    if (own !== undefined && !aliases.has(own)) aliases.set(own, id);
    headings.push({ level: Number(digit), id, text });
    const label = escapeText(text === '' ? 'Permalink' : `Permalink: ${text}`);
    const anchor = `<a class="anchor" href="#${id}" aria-label="${label}"></a>`;
    return `<h${digit} id="${id}"${attributes.replace(OWN_ID, '')}>${content}${anchor}</h${digit}>`;
  });
  return { html: linkFragments(anchored, aliases), headings };
}

/** GitHub's slug of a heading, before it is made unique. */
function headingSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\- ]/gu, '')
    .replace(/ /g, '-');
}

/** Ids that exist already: those of footnotes and, with their prefix, the author's. */
function takenIds(html: string): string[] {
  return Array.from(html.matchAll(ID), ([, id]) => id ?? '');
}

/** Appends `-1`, `-2`, ... to the second, third, ... heading with the same slug, and skips ids that are taken. */
function idMaker(taken: readonly string[]): (text: string) => string {
  const counts = new Map(taken.map((id) => [id, 0]));
  return (text) => {
    // A heading of only punctuation and emoji has no slug, and an id must not be empty.
    const slug = headingSlug(text) || 'section';
    let id = slug;
    let count = counts.get(slug);
    while (count !== undefined && counts.has(id)) {
      count += 1;
      id = `${slug}-${count}`;
    }
    if (count !== undefined) counts.set(slug, count);
    counts.set(id, 0);
    return id;
  };
}

/** Redirects links to an author's own id to the prefixed id, or to the heading that had it. */
function linkFragments(html: string, aliases: Map<string, string>): string {
  if (aliases.size === 0 && !html.includes(' id="user-content-')) return html;
  const targets = new Map(aliases);
  const taken = new Set(takenIds(html));
  for (const id of taken) {
    const own = /^user-content-(.*)$/s.exec(id)?.[1];
    if (own !== undefined && !targets.has(own)) targets.set(own, id);
  }
  // Existing ids need no redirect.
  for (const id of taken) targets.delete(id);
  return html.replace(FRAGMENT_LINK, (link, before: string, fragment: string) => {
    if (taken.has(fragment)) return link;
    const target = targets.get(fragment) ?? targets.get(escapeText(decodeFragment(fragment)));
    return target === undefined ? link : `${before}${target}"`;
  });
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
