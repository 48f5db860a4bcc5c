import { MEDIA_SCHEME } from '../edge-paths.ts';
import type { SiteBlog } from '../site/blog.ts';
import { unescapeText } from './text/plain-text.ts';

/** What the stored HTML says of links to other hosts, until pages know whose they are. */
export const UNVOUCHED = 'nofollow ugc noopener';

const UNVOUCHED_LINK = new RegExp(`(<a [^>]*? rel=")${UNVOUCHED}"`, 'g');

/**
 * HTML in the sanitiser's canonical form whose links to other hosts are editorial: the owner of the blog vouches for
 * them, so search engines may follow them.
 */
const withEditorialLinks = (html: string): string =>
  html.includes(UNVOUCHED) ? html.replace(UNVOUCHED_LINK, '$1noopener"') : html;

/** A post's stored HTML as a blog shows it. */
export const linksFor = ({ indexable }: Pick<SiteBlog, 'indexable'>, html: string): string =>
  indexable ? withEditorialLinks(html) : html;

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
