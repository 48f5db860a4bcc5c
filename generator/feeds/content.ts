import { escapeText, unescapeText } from '../markdown/text/plain-text.ts';

/**
 * A heading's link to itself; a frame, below which its address stands as a link; of a picture all but the image, which
 * every reader shows.
 */
const PAGE_ONLY =
  /<a class="anchor" [^<>]*><\/a>|<iframe [^<>]*><\/iframe>|<source [^<>]*>|<\/?picture(?: [^<>]*)?>/g;
/** Tags with attributes, and what matters within code: most tags of a post are neither. */
const TAG = /<(?:([a-z]+)( [^<>]*)|span|\/span|\/pre)>/g;
const TENDED = / (?:(?:href|src|srcset|cite|tabindex|loading)="|class="align-)/;
const ATTRIBUTE = / ([^\s"=]+)="([^"]*)"/g;
const COMPLETE = /^(?:https?:\/\/|mailto:|tel:)/i;

/**
 * A post's HTML as readers of feeds can use it, who have neither the page around it nor its style: every address is
 * absolute, links within the post lead to its page, and what only means something on a page is left out. Reads the
 * canonical form of our HTML (see sanitise.ts), in which a value holds neither `>` nor `"`.
 */
export function feedContent(html: string, pageUrl: string): string {
  let isCode = false;
  return html.replace(PAGE_ONLY, '').replace(TAG, (tag: string, name?: string, attributes = '') => {
    if (name === 'pre') isCode = true;
    if (tag === '</pre>') isCode = false;
    // Colours and numbered lines are nothing without the style.
    if (isCode && (name ?? tag).includes('span')) return '';
    return TENDED.test(attributes) ? `<${name}${tend(attributes, pageUrl)}>` : tag;
  });
}

function tend(attributes: string, pageUrl: string): string {
  return attributes.replace(ATTRIBUTE, (attribute, name: string, value: string) => {
    switch (name) {
      case 'tabindex':
      case 'loading':
      case 'decoding':
        return '';
      case 'href':
      case 'src':
      case 'cite':
        return ` ${name}="${absolute(value, pageUrl)}"`;
      case 'srcset':
        return ` srcset="${absoluteCandidates(value, pageUrl)}"`;
      case 'class':
        // Old, and all that readers know of alignment.
        return value.startsWith('align-') ? ` align="${value.slice('align-'.length)}"` : attribute;
      default:
        return attribute;
    }
  });
}

function absolute(address: string, pageUrl: string): string {
  if (COMPLETE.test(address)) return address;
  const written = unescapeText(address);
  return URL.canParse(written, pageUrl) ? escapeText(new URL(written, pageUrl).href) : address;
}

/** An address may hold commas, but none is followed by a space. */
const absoluteCandidates = (candidates: string, pageUrl: string): string =>
  candidates
    .split(/,\s+/)
    .map((candidate) => candidate.trim().replace(/^\S+/, (address) => absolute(address, pageUrl)))
    .join(', ');
