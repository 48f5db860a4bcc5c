import type { Page } from '../page.ts';
import type { Site, SitePostSummary } from '../site.ts';
import { isAmongNewest } from './newest.ts';
import type { PageKind } from './page-kind.ts';

/** Number of posts that `llms.txt` links to, and that `llms-full.txt` contains, up to its size limit. */
const LINKED = 100;
const HELD = 30;

/** The blog for language models (llmstxt.org), if its tier includes that. */
export const llms: PageKind = {
  name: 'llms',
  all: async () => ['llms:index', 'llms:full'],
  reach: async (site, { run }) => [
    ...((await isAmongNewest(site, null, run, LINKED)) ? ['llms:index'] : []),
    ...((await isAmongNewest(site, null, run, HELD)) ? ['llms:full'] : []),
  ],
  async show(site, keys) {
    if (!site.blog.llmsTxt) return [];
    const posts = (await site.newest(null, LINKED)).posts.slice(0, LINKED);
    return Promise.all([
      ...(keys.includes('llms:index') ? [indexOf(site, posts)] : []),
      ...(keys.includes('llms:full') ? [showFull(site, posts.slice(0, HELD))] : []),
    ]);
  },
};

const indexOf = ({ blog }: Site, posts: readonly SitePostSummary[]): Page => ({
  key: 'llms:index',
  path: 'llms.txt',
  stage: 'feeds',
  body: { kind: 'llms', blog, posts },
});

async function showFull(site: Site, newest: readonly SitePostSummary[]): Promise<Page> {
  const sources = await site.sources(newest.map(({ id }) => id));
  const posts = newest.flatMap(({ id }) => sources.get(id) ?? []);
  return {
    key: 'llms:full',
    path: 'llms-full.txt',
    stage: 'feeds',
    body: { kind: 'llms-full', blog: site.blog, posts },
  };
}
