import {
  type Address,
  ARCHIVE_PAGE,
  absoluteUrl,
  listAddress,
  monthAddress,
  postAddress,
  postUrl,
  ROOT,
  SEARCH_PAGE,
  seriesAddress,
  TAGS_PAGE,
  tagAddress,
} from '../addresses.ts';
import { type LayoutData, layoutWordsFor, MAX_FEATURED, MAX_NEWEST } from './data.ts';
import type { LayoutEntry, LayoutPost } from './post-data.ts';

const url = 'https://sample.example/';

const fullBlog: LayoutData['blog'] = {
  name: 'A sample',
  description: 'On samples & more.',
  url,
  language: 'en',
  author: { name: 'Ada Byron', url: 'https://ada.example/', image: 'https://ada.example/ada.jpg' },
  icon: 'https://ada.example/icon-96.png',
  navigation: Array.from({ length: 10 }, (_, n) => ({ label: `Link ${n}`, url: `/link-${n}/` })),
  social_links: Array.from({ length: 10 }, (_, n) => ({
    label: `Place ${n}`,
    url: `https://p${n}.example/`,
  })),
};
const bareBlog: LayoutData['blog'] = {
  ...fullBlog,
  description: '',
  author: null,
  icon: null,
  navigation: [],
  social_links: [],
};

const fullEntry: LayoutEntry = {
  title: 'A post of which a layout may know all',
  url: postUrl(url, 'a-post'),
  lang: 'en',
  type: 'post',
  date: '2026-03-10T23:30:00.000Z',
  updated: '2026-04-02T08:00:00.000Z',
  tags: Array.from({ length: 10 }, (_, n) => ({
    label: `Tag ${n}`,
    url: absoluteUrl(url, tagAddress(`tag-${n}`)),
  })),
  description: 'What it is about.',
  author: 'Ada Byron',
  author_url: 'https://ada.example/',
  author_image: 'https://ada.example/ada.jpg',
  cover: { url: 'https://ada.example/press.jpg', alt: 'A press', width: 1_600, height: 900 },
};
const bareEntry: LayoutEntry = {
  ...fullEntry,
  title: 'Bare',
  updated: fullEntry.date,
  tags: [],
  description: '',
  author: null,
  author_url: null,
  author_image: null,
  cover: null,
};
const link = { title: 'Another post', url: postUrl(url, 'another-post'), lang: 'en' };
const fullPost: LayoutPost = {
  ...fullEntry,
  reading_minutes: 12,
  word_count: 2_800,
  related: Array.from({ length: 3 }, () => link),
  series: {
    name: 'Samples',
    url: absoluteUrl(url, seriesAddress('samples')),
    part: 2,
    previous: link,
    next: link,
  },
  newer: link,
  older: link,
};
const barePost: LayoutPost = {
  ...bareEntry,
  reading_minutes: 1,
  word_count: 0,
  related: [],
  series: null,
  newer: null,
  older: null,
};

const pageOf = (kind: LayoutData['page']['kind'], path: Address | null, title: string): LayoutData => ({
  blog: fullBlog,
  page: {
    kind,
    title,
    path,
    url: path && absoluteUrl(url, path),
    lang: 'en',
    direction: 'ltr',
    tag: null,
    newer: null,
    older: null,
  },
  post: null,
  posts: [],
  newest: [],
  featured: [],
  words: layoutWordsFor('en'),
});

/**
 * Posts on a page at most: on the first page of a list the newest, filled up to whole list pages, and all those of a
 * series.
 */
const MAX_LISTED = 24;
const MAX_IN_SERIES = 100;
const entries = (length: number): LayoutEntry[] => [
  bareEntry,
  ...Array.from({ length: length - 1 }, () => fullEntry),
];

const listOf = (
  kind: LayoutData['page']['kind'],
  path: Address,
  title: string,
  length = MAX_LISTED,
): LayoutData => {
  const { page, ...rest } = pageOf(kind, path, title);
  const beside = {
    newer: absoluteUrl(url, listAddress(null, 3)),
    older: absoluteUrl(url, listAddress(null, 1)),
  };
  return { ...rest, page: { ...page, ...beside }, posts: entries(length) };
};

const front = {
  ...listOf('front', ROOT, 'A sample'),
  newest: entries(MAX_NEWEST),
  featured: entries(MAX_FEATURED),
};
const tagPage = listOf('tag', tagAddress('ink'), '#ink');
const tag = { label: 'ink', url: absoluteUrl(url, tagAddress('ink')) };

/** A page of every kind, as full as it can be; the front page and a post also with as little as possible. */
export const samplePages: readonly LayoutData[] = [
  front,
  { ...pageOf('front', ROOT, 'A sample'), blog: bareBlog },
  listOf('list', listAddress(null, 2), 'Page 2'),
  { ...tagPage, page: { ...tagPage.page, tag } },
  listOf('month', monthAddress('2026-11'), 'November 2026'),
  listOf('series', seriesAddress('samples'), 'Samples', MAX_IN_SERIES),
  pageOf('tags', TAGS_PAGE, 'Tags'),
  pageOf('archive', ARCHIVE_PAGE, 'Archive'),
  pageOf('search', SEARCH_PAGE, 'Search'),
  pageOf('not-found', null, 'This page is not here'),
  { ...pageOf('post', postAddress('a-post'), fullPost.title), post: fullPost },
  { ...pageOf('post', postAddress('bare'), barePost.title), blog: bareBlog, post: barePost },
  { ...front, ...pageOf('post', ROOT, 'Welcome'), post: { ...fullPost, type: 'page' }, posts: [] },
];
