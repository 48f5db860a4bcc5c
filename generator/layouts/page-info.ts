import {
  type Address,
  ARCHIVE_PAGE,
  absoluteUrl,
  firstPageAddress,
  listAddress,
  SEARCH_PAGE,
  seriesAddress,
  TAGS_PAGE,
} from '../addresses.ts';
import { formatMonth } from '../dates.ts';
import type { HtmlView } from '../page.ts';
import { type ListRef, monthList } from '../site/list.ts';
import { pageLanguage } from '../words/page-language.ts';
import { type Words, wordsFor } from '../words/words.ts';

export interface PageInfo {
  /** The page's own title, without the blog's name. That of the first page of the blog's list is the blog's name. */
  readonly title: string;
  /** Its absolute URL; null for the 404 page, which has no URL of its own. */
  readonly url: string | null;
}

/** A page's title and URL. */
export function pageInfo(view: Exclude<HtmlView, { readonly layout: 'redirect' }>): PageInfo {
  const at = (address: Address) => absoluteUrl(view.blog.url, address);
  const words = wordsFor(pageLanguage(view));
  switch (view.layout) {
    case 'post':
      return { title: view.post.title, url: at(view.address) };
    case 'list':
      return {
        title: listTitle(view, words) || view.blog.name,
        url: at(listViewAddress(view)),
      };
    case 'tags':
      return { title: words.text('tags'), url: at(TAGS_PAGE) };
    case 'archive':
      return { title: words.text('archive'), url: at(ARCHIVE_PAGE) };
    case 'series':
      return { title: view.name, url: at(seriesAddress(view.slug)) };
    case 'search':
      return { title: words.text('search'), url: at(SEARCH_PAGE) };
    case 'not-found':
      return { title: words.text('notFound'), url: null };
  }
}

type ListView = Extract<HtmlView, { layout: 'list' }>;

/** A list's tag or month in words; empty for the blog's main list. */
export function listSubject(view: ListView): string {
  const { tag, month } = view;
  if (tag !== null) return `#${tag.label}`;
  return month === null ? '' : formatMonth(month, pageLanguage(view));
}

/** Where a page of a list is. */
export const listViewAddress = (view: ListView): Address =>
  view.pageNumber === null
    ? firstPageAddress(listOf(view), view.blog.settings.frontPage)
    : listAddress(listOf(view), view.pageNumber);

/** Whether a page is the first page of the blog's own list, wherever that is. */
export const isBlogList = ({ tag, month, pageNumber }: ListView): boolean =>
  tag === null && month === null && pageNumber === null;

const listTitle = (view: ListView, words: Words): string =>
  [listSubject(view), view.pageNumber === null ? '' : words.text('pageNumber', { number: view.pageNumber })]
    .filter(Boolean)
    .join(' · ');

/** The list that a page shows. */
export const listOf = ({ tag, month }: ListView): ListRef =>
  tag?.slug ?? (month === null ? null : monthList(month));
