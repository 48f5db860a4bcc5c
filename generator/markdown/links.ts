import { unescapeText } from './text/plain-text.ts';

const LINK = /<a [^>]*?href="([^"]*)"/g;

/** The absolute http and https addresses that sanitised HTML links to, each once, in order. */
export function outboundLinks(html: string): string[] {
  const links = new Set<string>();
  for (const [, href = ''] of html.matchAll(LINK)) {
    // An address without a scheme of its own takes that of the page that it stands on.
    const address = unescapeText(href).replace(/^[\\/]{2}/, 'https://');
    if (/^https?:/i.test(address) && URL.canParse(address)) links.add(new URL(address).href);
  }
  return [...links];
}
