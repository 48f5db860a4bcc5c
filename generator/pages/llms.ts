import { fileOf, LLMS, LLMS_FULL } from '../addresses.ts';
import type { SitePostSummary } from '../site/post.ts';
import type { Site } from '../site/site.ts';
import { mayBeAmongNewest } from './lists/newest.ts';
import type { BuiltPage, PageKind } from './page-kind.ts';

/** Number of posts that `llms.txt` links to, and that `llms-full.txt` contains, up to its size limit. */
const LINKED_POSTS = 100;
const FULL_POSTS = 30;

/** The blog for language models (llmstxt.org), if its tier includes that. */
export const llms: PageKind = {
  name: 'llms',
  stage: 'feeds',
  allKeys: async () => ['llms:index', 'llms:full'],
  affectedKeys: async (site, { postId: id, publishedAt, homeList, pageNumber }) => {
    if (homeList !== null) return [];
    const place = { id, publishedAt, pageNumber };
    return [
      ...((await mayBeAmongNewest(site, null, place, LINKED_POSTS)) ? ['llms:index'] : []),
      ...((await mayBeAmongNewest(site, null, place, FULL_POSTS)) ? ['llms:full'] : []),
    ];
  },
  async build(site, keys) {
    if (!site.blog.llmsTxt) return [];
    const posts = (await site.newest(null, LINKED_POSTS)).posts.slice(0, LINKED_POSTS);
    return Promise.all([
      ...(keys.includes('llms:index') ? [indexOf(site, posts)] : []),
      ...(keys.includes('llms:full') ? [buildFull(site, posts.slice(0, FULL_POSTS))] : []),
    ]);
  },
};

const indexOf = ({ blog }: Site, posts: readonly SitePostSummary[]): BuiltPage => ({
  key: 'llms:index',
  path: fileOf(LLMS),
  body: { kind: 'llms', blog, posts },
});

async function buildFull(site: Site, newest: readonly SitePostSummary[]): Promise<BuiltPage> {
  const sources = await site.sources(newest.map(({ id }) => id));
  const posts = newest.flatMap(({ id }) => sources.get(id) ?? []);
  return {
    key: 'llms:full',
    path: fileOf(LLMS_FULL),
    body: { kind: 'llms-full', blog: site.blog, posts },
  };
}
