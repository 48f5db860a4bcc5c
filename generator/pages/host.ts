import { hostPath } from '../page.ts';
import { afterName, type PageKind } from './page-kind.ts';

/** The blog's host names, for the edge. One of them is current, and the others redirect to it permanently. */
export const hosts: PageKind = {
  name: 'host',
  all: async (site) => (await site.allHosts()).map((hostname) => `host:${hostname}`),
  reach: async () => [],
  async show(site, keys) {
    const known = await site.allHosts();
    const { slug: blog, url } = site.blog;
    return keys
      .filter((key) => known.includes(afterName(key)))
      .map((key) => ({
        key,
        path: hostPath(afterName(key)),
        stage: 'headers',
        body: { kind: 'host', host: { blog, url } },
      }));
  },
};
