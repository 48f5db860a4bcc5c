import { absoluteUrl, FRONT_PAGE, fileOf, listFrontAddress } from '../addresses.ts';
import type { Site } from '../site.ts';
import { cardAddress } from './card.ts';
import { type BuiltPage, type PageKind, postSizes } from './page-kind.ts';
import { postView } from './post.ts';

/**
 * The page at the root of a blog whose list of posts is elsewhere. While that page is not published, the root redirects
 * to the list.
 */
export const front: PageKind = {
  name: 'front',
  stage: 'lists',
  allKeys: async ({ blog }) => (blog.settings.frontPage === null ? [] : [KEY]),
  affectedKeys: async ({ blog }, { slug }) => (slug === blog.settings.frontPage?.page ? [KEY] : []),
  async sizes(site) {
    const id = await pageIdOf(site);
    const sizes = await postSizes(site, id === null ? [] : [`post:${id}`]);
    return new Map([[KEY, [...sizes.values()][0] ?? 0]]);
  },
  build: async (site) => (site.blog.settings.frontPage === null ? [] : [await buildFront(site)]),
};

const KEY = 'front:page';

const pageIdOf = async ({ blog, pageAt }: Site): Promise<string | null> =>
  blog.settings.frontPage && pageAt(blog.settings.frontPage.page);

async function buildFront(site: Site): Promise<BuiltPage> {
  const { blog } = site;
  const id = await pageIdOf(site);
  const page = id === null ? undefined : (await site.posts([id])).get(id);
  const listUrl = absoluteUrl(blog.url, listFrontAddress(null, blog.settings.frontPage));
  return {
    key: KEY,
    path: fileOf(FRONT_PAGE),
    body: {
      kind: 'html',
      view: page
        ? postView(blog, page, {
            address: FRONT_PAGE,
            cardUrl: absoluteUrl(blog.url, cardAddress(blog, page)),
          })
        : { layout: 'redirect', blog, to: listUrl },
    },
  };
}
