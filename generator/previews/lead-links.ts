import { type DefaultTreeAdapterTypes, parse, serialize } from 'parse5';
import { replaceCandidates } from '../srcset.ts';

/** Where a blog's pages are shown in a layout that is not stored. */
export interface LayoutPreviewPlaces {
  /** The page's own URL. */
  readonly pageUrl: string;
  /** URL of the blog's root, and of its preview; both end with a slash. */
  readonly blogUrl: string;
  readonly previewUrl: string;
}

type Element = DefaultTreeAdapterTypes.Element;

const ADDRESSES = new Set(['href', 'src', 'cite', 'poster']);
const LINKS = new Set(['a', 'area']);

/**
 * Makes a whole page fit for another URL than its own: links to pages of the blog lead to their previews, all other
 * addresses to the blog. Removes scripts and handlers. Unlike resolve-links.ts, this reads whatever HTML an owner
 * writes.
 */
export function leadLinks(html: string, places: LayoutPreviewPlaces): string {
  // Readers of a preview have no scripts, so `noscript` is part of the page.
  const document = parse(html, { scriptingEnabled: false });
  const waiting: DefaultTreeAdapterTypes.ParentNode[] = [document];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    node.childNodes = node.childNodes.filter(({ nodeName }) => nodeName !== 'script');
    for (const child of node.childNodes) {
      if (!('tagName' in child)) continue;
      leadAttributes(child, places);
      waiting.push(child);
      if ('content' in child) waiting.push(child.content);
    }
  }
  return serialize(document);
}

function leadAttributes(element: Element, places: LayoutPreviewPlaces): void {
  element.attrs = element.attrs.filter(({ name }) => !name.startsWith('on'));
  for (const attribute of element.attrs) {
    if (attribute.name === 'srcset')
      attribute.value = replaceCandidates(attribute.value, (address) => absolute(address, places.pageUrl));
    if (!ADDRESSES.has(attribute.name)) continue;
    const url = absolute(attribute.value, places.pageUrl);
    attribute.value = LINKS.has(element.tagName) ? previewOf(url, places) : url;
  }
}

/** Links within the page stay links within the page. */
const absolute = (address: string, pageUrl: string): string =>
  /^\s*#/.test(address) || !URL.canParse(address, pageUrl) ? address : new URL(address, pageUrl).href;

/** The preview of a page of the blog. Its other files, such as feeds, have none. */
function previewOf(url: string, { blogUrl, previewUrl }: LayoutPreviewPlaces): string {
  const isPage = url.startsWith(blogUrl) && /^[^?#]*\/(?:[?#].*)?$/.test(url);
  return isPage ? previewUrl + url.slice(blogUrl.length) : url;
}
