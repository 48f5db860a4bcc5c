import { escapeText, unescapeText } from '../markdown/text/plain-text.ts';
import { replaceCandidates } from '../srcset.ts';

/**
 * Markup that is useful only on the page: a heading's link to itself, a video frame (its URL follows as a link), and
 * all parts of a `<picture>` except the `<img>`, which every feed reader shows.
 */
const PAGE_ONLY =
  /<a class="anchor" [^<>]*><\/a>|<iframe [^<>]*><\/iframe>|<source [^<>]*>|<\/?picture(?: [^<>]*)?>/g;
/** Tags that may need changes: those with attributes, and the end tags that matter within code. */
const TAG = /<(?:([a-z]+)( [^<>]*)|span|\/span|\/pre)>/g;
const NEEDS_CHANGE = / (?:(?:href|src|srcset|cite|tabindex|loading)="|class="align-)/;
const ATTRIBUTE = / ([^\s"=]+)="([^"]*)"/g;
const ABSOLUTE_URL = /^(?:https?:\/\/|mailto:|tel:)/i;

/**
 * Converts a post's HTML for feed readers, which have neither the page around it nor its style sheet: every URL is
 * absolute, links within the post point to its page, and markup that is useful only on the page is removed. Reads the
 * canonical form of our HTML (see sanitise.ts), in which attribute values contain neither `>` nor `"`.
 */
export function feedContent(html: string, pageUrl: string): string {
  let isCode = false;
  return html.replace(PAGE_ONLY, '').replace(TAG, (tag: string, name?: string, attributes = '') => {
    if (name === 'pre') isCode = true;
    if (tag === '</pre>') isCode = false;
    // Colours and line numbers need the style sheet.
    if (isCode && (name ?? tag).includes('span')) return '';
    return NEEDS_CHANGE.test(attributes) ? `<${name}${adaptAttributes(attributes, pageUrl)}>` : tag;
  });
}

function adaptAttributes(attributes: string, pageUrl: string): string {
  return attributes.replace(ATTRIBUTE, (attribute, name: string, value: string) => {
    switch (name) {
      case 'tabindex':
      case 'loading':
      case 'decoding':
        return '';
      case 'href':
      case 'src':
      case 'cite':
        return ` ${name}="${absoluteUrl(value, pageUrl)}"`;
      case 'srcset':
        return ` srcset="${replaceCandidates(value, (address) => absoluteUrl(address, pageUrl))}"`;
      case 'class':
        // Obsolete, but the only alignment that feed readers know.
        return value.startsWith('align-') ? ` align="${value.slice('align-'.length)}"` : attribute;
      default:
        return attribute;
    }
  });
}

function absoluteUrl(address: string, pageUrl: string): string {
  if (ABSOLUTE_URL.test(address)) return address;
  const written = unescapeText(address);
  return URL.canParse(written, pageUrl) ? escapeText(new URL(written, pageUrl).href) : address;
}
