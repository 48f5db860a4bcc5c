import { absoluteUrl, fileOf, firstPageAddress, ROOT } from '../addresses.ts';
import { MAX_FEATURED, MAX_NEWEST } from '../layouts/data.ts';
import type { PostView } from '../page.ts';
import { FEATURED } from '../site/list.ts';
import { type Placement, placesOf } from '../site/placement.ts';
import type { Site } from '../site/site.ts';
import { cardAddress } from './card.ts';
import { BLOG_LIST_KEY } from './lists/list.ts';
import { mayBeAmongNewest } from './lists/newest.ts';
import { type BuiltPage, type PageKind, postSizes } from './page-kind.ts';
import { postView } from './post.ts';

/**
 * The page at the root of a blog whose list of posts is elsewhere. While that page is not published, the root redirects
 * to the list. The owner's layout may show the newest posts there.
 */
export const front: PageKind = {
  name: 'front',
  stage: 'lists',
  allKeys: async ({ blog }) => (blog.settings.frontPage === null ? [] : [KEY]),
  async affectedKeys(site, placement) {
    const { frontPage } = site.blog.settings;
    if (frontPage === null) return [];
    const isShown = placement.slug === frontPage.page || (await mayBeListed(site, placement));
    return isShown ? [KEY] : [];
  },
  async sizes(site) {
    const id = await pageIdOf(site);
    const sizes = await postSizes(site, id === null ? [] : [`post:${id}`]);
    return new Map([[KEY, [...sizes.values()][0] ?? 0]]);
  },
  build: async (site) => (site.blog.settings.frontPage === null ? [] : [await buildFront(site)]),
};

const KEY = 'front:page';

/** Key of the page at the blog's root. */
export const rootKey = ({ blog }: Site): string => (blog.settings.frontPage === null ? BLOG_LIST_KEY : KEY);

/** Whether the layout may list a post at this place. */
async function mayBeListed(site: Site, placement: Placement): Promise<boolean> {
  if (site.blog.layout === '') return false;
  const listed = placesOf(placement).map(async ({ list, place }) => {
    if (list !== null && list !== FEATURED) return false;
    return mayBeAmongNewest(site, list, place, list === null ? MAX_NEWEST : MAX_FEATURED);
  });
  return (await Promise.all(listed)).includes(true);
}

async function listedPosts(site: Site): Promise<PostView['front']> {
  if (site.blog.layout === '') return null;
  const newest = await site.newest(null, MAX_NEWEST);
  const featured = await site.newest(FEATURED, MAX_FEATURED);
  return {
    newest: newest.posts.slice(0, MAX_NEWEST),
    featured: featured.posts.slice(0, MAX_FEATURED),
  };
}

const pageIdOf = async ({ blog, pageAt }: Site): Promise<string | null> =>
  blog.settings.frontPage && pageAt(blog.settings.frontPage.page);

async function buildFront(site: Site): Promise<BuiltPage> {
  const { blog } = site;
  const id = await pageIdOf(site);
  const page = id === null ? undefined : (await site.posts([id])).get(id);
  const listUrl = absoluteUrl(blog.url, firstPageAddress(null, blog.settings.frontPage));
  return {
    key: KEY,
    path: fileOf(ROOT),
    body: {
      kind: 'html',
      view: page
        ? postView(blog, page, {
            cardUrl: absoluteUrl(blog.url, cardAddress(blog, page)),
            front: await listedPosts(site),
          })
        : { layout: 'redirect', blog, to: listUrl },
    },
  };
}
