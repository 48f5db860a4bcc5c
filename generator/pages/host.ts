import { hostFilePath } from '../addresses.ts';
import { type BuiltPage, keySuffix, type PageKind } from './page-kind.ts';

/**
 * The blog's host names, for the edge. One of them is current. The others redirect to it permanently, so their records
 * come after that of the current one.
 */
export const hosts: PageKind = {
  name: 'host',
  stage: 'headers',
  allKeys: async (site) => (await site.allHosts()).map(hostKey),
  affectedKeys: async () => [],
  async build(site, keys) {
    const known = await site.allHosts();
    const { folder: blog, url } = site.blog;
    const current = new URL(url).hostname;
    return keys.flatMap((key): BuiltPage[] => {
      const hostname = keySuffix(key);
      if (!known.includes(hostname)) return [];
      const page = {
        key,
        path: hostFilePath(hostname),
        body: { kind: 'host', host: { blog, url } },
      } as const;
      return [hostname === current ? page : { ...page, stage: 'other-hosts' }];
    });
  },
};

export const hostKey = (hostname: string): string => `host:${hostname}`;
