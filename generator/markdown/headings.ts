import { emojiIn } from './extensions/emoji.ts';
import { escapeText, plainText } from './text/plain-text.ts';

/** A heading of a post: its level (1 to 6), the id that links lead to, and its plain text. */
export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

export interface AnchoredHtml {
  readonly html: string;
  readonly headings: readonly Heading[];
}

const HEADING = /<h([1-6])((?: [^>]*)?)>(.*?)<\/h\1>/gs;
/** Within a tag: in text, where code speaks of HTML, the same characters mean nothing. */
const ID = /<[^>]* id="([^"]*)"/g;
const FRAGMENT_LINK = /(<a (?:[^>]* )?href="#)([^"]*)"/g;
const OWN_ID = / id="user-content-([^"]*)"/;

/**
 * Gives every heading of sanitised HTML an id by GitHub's algorithm and, after its content, a link to itself, which
 * a theme makes visible; then leads the post's own `#…` links to where they must go.
 *
 * Ids carry no prefix, so that links work without a script. Browsers let an id shadow only globals that do not
 * exist, which scripts of a page must not probe for by bare name.
 */
export function anchorHeadings(html: string): AnchoredHtml {
  const headings: Heading[] = [];
  const aliases = new Map<string, string>();
  const uniqueId = idMaker(takenIds(html));
  const anchored = html.replace(HEADING, (_, digit: string, attributes: string, content: string) => {
    // As GitHub does: a short code in a heading stands in its id by name.
    const written = plainText(content);
    const text = emojiIn(written);
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

/** The slug that GitHub makes of a heading, before it is made unique. */
function headingSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\- ]/gu, '')
    .replace(/ /g, '-');
}

/** Ids that are there already: the footnotes' and, prefixed, the author's. */
function takenIds(html: string): string[] {
  return Array.from(html.matchAll(ID), ([, id]) => id ?? '');
}

/** `-1`, `-2`, ... for the second, third, ... of a kind, passing over what is taken. */
function idMaker(taken: readonly string[]): (text: string) => string {
  const counts = new Map(taken.map((id) => [id, 0]));
  return (text) => {
    // A heading of signs and emoji alone has no slug, and an id must not be empty.
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

/** A link to an id of the author's own leads to the prefixed id, or to the heading that bore it. */
function linkFragments(html: string, aliases: Map<string, string>): string {
  if (aliases.size === 0 && !html.includes(' id="user-content-')) return html;
  const targets = new Map(aliases);
  const taken = new Set(takenIds(html));
  for (const id of taken) {
    const own = /^user-content-(.*)$/s.exec(id)?.[1];
    if (own !== undefined && !targets.has(own)) targets.set(own, id);
  }
  // Headings and footnotes are where they say.
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
