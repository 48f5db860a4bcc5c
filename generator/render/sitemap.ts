import { XML_DECLARATION } from '../feeds/xml.ts';
import type { SitemapEntry } from '../page.ts';

/**
 * Sitemaps in the sitemaps.org format. URLs consist of host names and slugs, which need no XML escaping. A library's
 * stream took 12 to 40 ms for the thousand URLs of a full sitemap, which is on the publish path.
 */
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

export function sitemapXml(entries: readonly SitemapEntry[]): string {
  const urls = entries.map(({ url, lastmod }) =>
    lastmod === null
      ? `<url><loc>${url}</loc></url>\n`
      : `<url><loc>${url}</loc><lastmod>${lastmod}</lastmod></url>\n`,
  );
  return `${XML_DECLARATION}<urlset ${NAMESPACE}>\n${urls.join('')}</urlset>\n`;
}

export function sitemapIndexXml(urls: readonly string[]): string {
  const sitemaps = urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>\n`);
  return `${XML_DECLARATION}<sitemapindex ${NAMESPACE}>\n${sitemaps.join('')}</sitemapindex>\n`;
}
