import { MEDIA_SCHEME } from '../edge-paths.ts';
import { unescapeText } from './text/plain-text.ts';

const LINK = /<a [^>]*?href="([^"]*)"/g;

/**
 * The absolute http and https URLs that sanitised HTML links to, and its references to uploaded images, without
 * duplicates, in document order.
 */
export function outboundLinks(html: string): string[] {
  const links = new Set<string>();
  for (const [, href = ''] of html.matchAll(LINK)) {
    // A protocol-relative URL takes the page's scheme.
    const address = unescapeText(href).replace(/^[\\/]{2}/, 'https://');
    if (address.startsWith(MEDIA_SCHEME)) links.add(address);
    else if (/^https?:/i.test(address) && URL.canParse(address)) links.add(new URL(address).href);
  }
  return [...links];
}
