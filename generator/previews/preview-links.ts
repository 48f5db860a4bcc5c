import { escapeText, unescapeText } from '../markdown/text/plain-text.ts';

/** A tag with attributes, or what only looks as if it held tags. */
const TAG =
  /<(?:style|script)[ >].*?<\/(?:style|script)>|<[a-z][a-z\d]*(?:\s+[^\s"=<>]+(?:="[^"]*")?)+\s*\/?>/gs;
const ATTRIBUTE = /(\s)([^\s"=]+)="([^"]*)"/g;
const ADDRESSES = new Set(['href', 'src', 'cite', 'srcset']);
/** Leads away by itself: `https:a`, without the slashes, is relative to a page of the same scheme. */
const COMPLETE = /^(?:https?:\/\/|(?!https?:)[a-z][a-z\d+.-]*:)/i;

/**
 * A page as it is read at another address than its own: what is relative in it, links and images alike, is led to where
 * the page itself is; what leads to the page itself stays on it. Reads what the theme writes and posts consist of (see
 * sanitise.ts): values stand in double quotes, and no text holds a `<`.
 */
export const ledTo = (pageUrl: string, html: string): string =>
  html.replace(TAG, (tag) =>
    /^<(?:style|script)\b/.test(tag)
      ? tag
      : tag.replace(ATTRIBUTE, (attribute, space: string, name: string, value: string) => {
          if (!ADDRESSES.has(name)) return attribute;
          const written = unescapeText(value);
          const led = name === 'srcset' ? everyLed(pageUrl, written) : oneLed(pageUrl, written);
          return led === written ? attribute : `${space}${name}="${escapeText(led)}"`;
        }),
  );

function oneLed(pageUrl: string, address: string): string {
  const isSettled = /^\s*#/.test(address) || COMPLETE.test(address.trim());
  if (isSettled || !URL.canParse(address, pageUrl)) return address;
  const led = new URL(address, pageUrl);
  // The page itself is here, and may not be there yet.
  return led.href.split('#')[0] === pageUrl ? led.hash || '#' : led.href;
}

/** An address may hold commas, but none is followed by a space. */
const everyLed = (pageUrl: string, candidates: string): string =>
  candidates
    .split(/,\s+/)
    .map((candidate) => candidate.trim().replace(/^\S+/, (address) => oneLed(pageUrl, address)))
    .join(', ');
