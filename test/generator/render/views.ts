import { postAddress } from '../../../generator/addresses.ts';
import type { HtmlView } from '../../../generator/page.ts';
import type { SiteBlog } from '../../../generator/site/blog.ts';
import type { SitePost, SitePostSummary } from '../../../generator/site/post.ts';

type View<L extends HtmlView['layout']> = Extract<HtmlView, { layout: L }>;

export const blog: SiteBlog = {
  id: '0190a000-0000-7000-8000-00000000b106',
  folder: 'ink',
  name: 'Ink & Paper',
  description: 'Notes on type',
  url: 'https://ink.example.com/',
  createdAt: '2026-01-01T00:00:00.000Z',
  settings: {
    accentColor: null,
    language: 'en',
    author: null,
    socialLinks: [],
    navigation: [],
    frontPage: null,
    icon: null,
  },
  badge: true,
  customCss: '',
  ownerHtml: { header: '', footer: '', ad: '' },
  layout: '',
  indexable: true,
  llmsTxt: true,
};

/** What most posts do not have. */
export const plain = {
  coverImage: null,
  author: null,
  isFeatured: false,
  series: null,
  canonicalUrl: null,
  language: null,
} as const;

export const summary: SitePostSummary = {
  id: '0190a000-0000-7000-8000-000000000002',
  slug: 'the-composing-stick',
  type: 'post',
  title: 'The composing stick',
  description: 'What it taught me about limits',
  tags: [
    { label: 'Letterpress', slug: 'letterpress' },
    { label: '日本', slug: '日本' },
  ],
  homeList: null,
  pageNumber: 7,
  lang: null,
  publishedAt: '2026-03-10T23:30:00.000Z',
  updatedAt: '2026-03-10T23:45:00.000Z',
  ogImage: null,
  ...plain,
  bytes: 40,
};

export const post: SitePost = {
  ...summary,
  contentVersion: 'the first',
  html: '<p>Set the <em>type</em>.</p>',
  headings: [],
  wordCount: 3,
  translations: [],
};

export function postView(changes: Partial<SitePost> = {}, changedBlog: Partial<SiteBlog> = {}): View<'post'> {
  return {
    layout: 'post',
    blog: { ...blog, ...changedBlog },
    post: { ...post, ...changes },
    address: postAddress(changes.slug ?? post.slug),
    ogImage: 'https://ink.example.com/og/0a1b.png',
    newer: null,
    older: null,
    related: [],
    previousPart: null,
    nextPart: null,
    front: null,
  };
}

/** The blog's preview card. */
export const cardUrl = 'https://ink.example.com/og/b10c.png';

export function listView(changes: Partial<View<'list'>> = {}): View<'list'> {
  return {
    layout: 'list',
    blog,
    tag: null,
    month: null,
    pageNumber: null,
    posts: [summary],
    featured: [],
    cardUrl,
    newer: null,
    older: null,
    ...changes,
  };
}

export const redirectView: View<'redirect'> = {
  layout: 'redirect',
  blog,
  to: 'https://ink.example.com/the-composing-stick/',
};

export const notFoundView: View<'not-found'> = { layout: 'not-found', blog };

export const tagsView: HtmlView = {
  layout: 'tags',
  blog,
  cardUrl,
  tags: [{ label: '日本', slug: '日本', posts: 12 }],
};
export const archiveView: HtmlView = {
  layout: 'archive',
  blog,
  cardUrl,
  months: [
    { month: '2026-11', posts: 12 },
    { month: '2026-02', posts: 1 },
    { month: '2025-12', posts: null },
  ],
};
/** Properties that give a post code and a table of contents. */
export const longPost: Partial<SitePost> = {
  html: '<h2 id="a">A</h2><pre><code>x</code></pre>',
  wordCount: 800,
  headings: ['a', 'b', 'c', 'd'].map((id) => ({ level: 2, id, text: `${id} < ${id}` })),
};

/** One view of every layout. */
export const everyView = (): HtmlView[] => [
  postView(),
  postView(longPost),
  listView(),
  tagsView,
  archiveView,
  redirectView,
  notFoundView,
];
