import type { SourceFiles } from '../archive/source-files.ts';
import { plainText } from '../html/dom.ts';
import type { ImportReport } from '../import-report.ts';
import { barePost, type ImportedPost, type ImportSource } from '../imported-blog.ts';
import { withParagraphs } from './autop.ts';
import { findBlocks } from './blocks.ts';
import { withFullImages } from './full-images.ts';
import { convertShortcodes } from './shortcodes.ts';
import { elementsOf, indexWxr, type WxrIndex } from './wxr-index.ts';
import { itemOf, type WxrItem } from './wxr-item.ts';

/**
 * Opens an export of WordPress: one file, or several that WordPress.com has divided it into. Reads all of it once, for what
 * posts refer to. Throws an ImportError.
 */
export async function readWordpress(files: SourceFiles, report: ImportReport): Promise<ImportSource> {
  const paths = files.paths.filter((path) => /\.xml$/i.test(path));
  const index = await indexWxr(files, paths, report);
  return {
    settings: index.settings,
    siteUrl: index.siteUrl,
    redirects: [
      { from: '/feed/', to: '/rss.xml' },
      { from: '/feed/atom/', to: '/feed.xml' },
    ],
    async *posts() {
      for (const path of paths) {
        for await (const element of elementsOf(files, path, () => {})) {
          const item = element.name === 'item' ? itemOf(element) : undefined;
          if (item !== undefined && isPost(item)) yield postOf(item, index);
        }
      }
    },
    imageAt: async () => null,
  };
}

const isPost = ({ kind, status }: WxrItem): boolean =>
  (kind === 'post' || kind === 'page') && !/^(?:trash|auto-draft|inherit)$/.test(status);

function postOf(item: WxrItem, index: WxrIndex): ImportedPost {
  const remarks: string[] = [];
  const tell = (message: string) => void remarks.push(message);
  const cover = index.attachments.get(item.meta('_thumbnail_id') ?? '');
  const isPublic = visibilityOf(item, tell);
  return {
    ...barePost,
    title: plainText(item.title),
    slug: decodeSlug(item.name),
    type: item.kind === 'page' ? 'page' : 'post',
    status: isPublic ? (item.status === 'future' ? 'scheduled' : 'published') : 'draft',
    date: item.date,
    tags: tagsOf(item),
    description: item.meta('_yoast_wpseo_metadesc') ?? item.meta('rank_math_description') ?? excerptOf(item),
    canonicalUrl: webAddress(item.meta('_yoast_wpseo_canonical')),
    cover,
    author: authorOf(item, index),
    series: seriesOf(item),
    featured: item.isSticky,
    oldAddresses: addressesOf(item, tell),
    body: { html: item.isCut ? ' '.repeat(TOO_LONG) : htmlOf(item, index, tell) },
    remarks,
  };
}

/** Longer than any HTML that is read, so that the post is refused for its length. */
const TOO_LONG = 20 * 1_048_576;

/** Whether readers may see it. What the author kept from them must not become public here. */
function visibilityOf({ status, password, date }: WxrItem, tell: (message: string) => void): boolean {
  if (password !== '') tell('needs a password in WordPress: it is a draft here');
  else if (status === 'private') tell('is private in WordPress: it is a draft here');
  else if (status === 'pending') tell('waits for a review in WordPress: it is a draft here');
  else if (status === 'future') {
    tell(`is scheduled for ${date ?? 'an unknown time'}`);
    return date !== undefined;
  } else if (status === 'publish') return true;
  else if (status !== 'draft') tell(`has the status ${status || 'unknown'} in WordPress: it is a draft here`);
  return false;
}

function tagsOf({ terms }: WxrItem): string[] {
  const kept = terms.filter(
    ({ domain, slug, name }) =>
      (domain === 'post_tag' || domain === 'category') && slug !== 'uncategorized' && name !== '',
  );
  return [...new Set(kept.map(({ name }) => plainText(name)))];
}

function seriesOf({ terms, meta }: WxrItem): ImportedPost['series'] {
  const name = terms.find(({ domain }) => domain === 'series')?.name;
  const part = Number(meta('_series_part'));
  if (name === undefined) return undefined;
  return { name, ...(Number.isInteger(part) && part > 0 && { part }) };
}

function authorOf({ creator }: WxrItem, { authors }: WxrIndex): ImportedPost['author'] {
  const name = authors.get(creator) ?? creator;
  return name === '' ? undefined : { name: plainText(name).slice(0, 100) };
}

const excerptOf = ({ excerpt }: WxrItem): string | undefined => plainText(excerpt) || undefined;

/** The path of the permalink, and those with names that the post had before. */
function addressesOf({ link, status, metaValues }: WxrItem, tell: (message: string) => void): string[] {
  if (status !== 'publish' || !URL.canParse(link)) return [];
  const { pathname, search } = new URL(link);
  if (/^\?(?:p|page_id)=\d+/.test(search)) {
    tell(
      `its address ${pathname}${search} cannot redirect: addresses with a query are none of a static site`,
    );
    return [];
  }
  const former = metaValues('_wp_old_slug').map((slug) => pathname.replace(/[^/]+(?=\/?$)/, slug));
  return [...new Set([pathname, ...former])].filter((path) => path !== '/');
}

function htmlOf(item: WxrItem, index: WxrIndex, tell: (message: string) => void): string {
  const find = (id: string) => index.attachments.get(id);
  const hasBlocks = item.html.includes('<!-- wp:');
  if (hasBlocks) for (const block of findBlocks(item.html)) tell(block);
  if (item.html.includes('<!--nextpage-->')) tell('has several pages in WordPress, which are one here');
  const expanded = convertShortcodes(item.html, find, tell);
  return withFullImages(hasBlocks ? expanded : withParagraphs(expanded), index.files);
}

const webAddress = (text: string | undefined): string | undefined =>
  text !== undefined && /^https?:/.test(text) && URL.canParse(text) ? text : undefined;

/** Slugs in other scripts are percent-encoded. */
function decodeSlug(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
