import { escapeText, unescapeText } from '../markdown/text/plain-text.ts';
import { replaceCandidates } from '../srcset.ts';

/** A tag with attributes, or a style or script element, whose text may look like tags. */
const TAG =
  /<(?:style|script)[ >].*?<\/(?:style|script)>|<[a-z][a-z\d]*(?:\s+[^\s"=<>]+(?:="[^"]*")?)+\s*\/?>/gs;
const ATTRIBUTE = /(\s)([^\s"=]+)="([^"]*)"/g;
const ADDRESSES = new Set(['href', 'src', 'cite', 'srcset']);
/** An absolute URL. `https:a`, without slashes, is relative to a page with the same scheme. */
const ABSOLUTE_URL = /^(?:https?:\/\/|(?!https?:)[a-z][a-z\d+.-]*:)/i;

/**
 * Resolves a page's relative URLs, of links and images alike, against its own URL, for display at another URL. Links to
 * the page itself stay on the displayed page. Reads HTML as the theme writes it and posts contain it (see sanitise.ts):
 * values are in double quotes, and no text contains a `<`.
 */
export const resolveLinks = (pageUrl: string, html: string): string =>
  html.replace(TAG, (tag) =>
    /^<(?:style|script)\b/.test(tag)
      ? tag
      : tag.replace(ATTRIBUTE, (attribute, space: string, name: string, value: string) => {
          if (!ADDRESSES.has(name)) return attribute;
          const written = unescapeText(value);
          const led =
            name === 'srcset'
              ? replaceCandidates(written, (address) => resolveUrl(pageUrl, address))
              : resolveUrl(pageUrl, written);
          return led === written ? attribute : `${space}${name}="${escapeText(led)}"`;
        }),
  );

function resolveUrl(pageUrl: string, address: string): string {
  const isSettled = /^\s*#/.test(address) || ABSOLUTE_URL.test(address.trim());
  if (isSettled || !URL.canParse(address, pageUrl)) return address;
  const led = new URL(address, pageUrl);
  // The page itself is displayed here, and may not be published yet.
  return led.href.split('#')[0] === pageUrl ? led.hash || '#' : led.href;
}
