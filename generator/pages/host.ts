import { hostFilePath } from '../addresses.ts';
import { keySuffix, type PageKind } from './page-kind.ts';

/** The blog's host names, for the edge. One of them is current, and the others redirect to it permanently. */
export const hosts: PageKind = {
  name: 'host',
  stage: 'headers',
  allKeys: async (site) => (await site.allHosts()).map((hostname) => `host:${hostname}`),
  affectedKeys: async () => [],
  async build(site, keys) {
    const known = await site.allHosts();
    const { slug: blog, url } = site.blog;
    return keys
      .filter((key) => known.includes(keySuffix(key)))
      .map((key) => ({
        key,
        path: hostFilePath(keySuffix(key)),
        body: { kind: 'host', host: { blog, url } },
      }));
  },
};
