import {
  type Address,
  ARCHIVE_PAGE,
  absoluteUrl,
  FRONT_PAGE,
  listAddress,
  monthAddress,
  postAddress,
  postUrl,
  SEARCH_PAGE,
  TAGS_PAGE,
  tagAddress,
} from '../addresses.ts';
import type { LayoutData, LayoutPost } from './data.ts';

const url = 'https://sample.example/';

const fullBlog: LayoutData['blog'] = {
  name: 'A sample',
  description: 'On samples & more.',
  url,
  language: 'en',
  author: { name: 'Ada Byron', url: 'https://ada.example/', image: 'https://ada.example/ada.jpg' },
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
  navigation: [],
  social_links: [],
};

const fullPost: LayoutPost = {
  title: 'A post of which a layout may know all',
  url: postUrl(url, 'a-post'),
  date: '2026-03-10T23:30:00.000Z',
  updated: '2026-04-02T08:00:00.000Z',
  tags: Array.from({ length: 10 }, (_, n) => ({
    label: `Tag ${n}`,
    url: absoluteUrl(url, tagAddress(`tag-${n}`)),
  })),
  description: 'What it is about.',
  reading_minutes: 12,
  word_count: 2_800,
  author: 'Ada Byron',
};
const barePost: LayoutPost = {
  ...fullPost,
  title: 'Bare',
  updated: fullPost.date,
  tags: [],
  description: '',
  reading_minutes: 1,
  word_count: 0,
  author: null,
};

const pageOf = (kind: LayoutData['page']['kind'], path: Address | null, title: string): LayoutData => ({
  blog: fullBlog,
  page: { kind, title, path, url: path && absoluteUrl(url, path) },
  post: null,
});

/** A page of every kind, and two posts: one with every property set, and one with as few as possible. */
export const samplePages: readonly LayoutData[] = [
  pageOf('front', FRONT_PAGE, 'A sample'),
  pageOf('list', listAddress(null, 1), 'Page 1'),
  pageOf('tag', tagAddress('ink'), '#ink'),
  pageOf('month', monthAddress('2026-11'), 'November 2026'),
  pageOf('tags', TAGS_PAGE, 'Tags'),
  pageOf('archive', ARCHIVE_PAGE, 'Archive'),
  pageOf('search', SEARCH_PAGE, 'Search'),
  pageOf('not-found', null, 'This page is not here'),
  { ...pageOf('post', postAddress('a-post'), fullPost.title), post: fullPost },
  { ...pageOf('post', postAddress('bare'), barePost.title), blog: bareBlog, post: barePost },
];
