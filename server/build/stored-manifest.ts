import { hostFilePath } from '../../generator/addresses.ts';
import type { Manifest } from '../../generator/build.ts';
import type { Db } from '../database/database.ts';
import * as manifest from '../rebuilds/manifest.ts';
import type { Lease } from './leases.ts';

/** Parts of a manifest that are among all its entries. */
export interface ManifestParts {
  /** Default: false. */
  readonly withSearchIndex?: boolean;
  /** Default: true. */
  readonly withHosts?: boolean;
}

/**
 * A blog's manifest in the database. Each write is a transaction of its own that requires the lease. The files of the
 * search index are not pages, so a build leaves them alone, unless `withSearchIndex` includes them (to remove
 * everything).
 */
export const storedManifest = (
  db: Db,
  blogId: string,
  lease: Lease,
  { withSearchIndex = false, withHosts = true }: ManifestParts = {},
): Manifest => ({
  find: (query) => manifest.findEntries(db, blogId, query),
  async *all() {
    for await (const entries of manifest.allEntries(db, blogId)) {
      yield entries.filter(
        ({ page, path }) =>
          (withSearchIndex || !isIndexFile(page)) && (withHosts || !path.startsWith(hostFilePath(''))),
      );
    }
  },
  uncertainPages: async () =>
    (await manifest.findUncertainPages(db, blogId)).filter((page) => !isIndexFile(page)),
  intend: (files) => lease.transaction((tx) => manifest.intendWrites(tx, blogId, files)),
  record: (files) => lease.transaction((tx) => manifest.recordWrites(tx, blogId, files)),
  intendRemovals: (paths) => lease.transaction((tx) => manifest.intendRemovals(tx, blogId, paths)),
});

const INDEX_PREFIX = 'base:';

/** The manifest key of a search-index file, in place of a page key. */
export const indexFileKey = (path: string): string => INDEX_PREFIX + path;

export const isIndexFile = (key: string): boolean => key.startsWith(INDEX_PREFIX);
