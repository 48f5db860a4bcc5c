import type { Manifest } from '../../generator/build.ts';
import type { Db } from '../database/database.ts';
import * as manifest from '../rebuilds/manifest.ts';
import type { Lease } from './leases.ts';

/**
 * A blog's manifest as the press uses it, each step in a transaction of its own, in which the work is still ours. The
 * base of its search is none of the press's pages, and stays as it is unless `withBase` says that it goes with them.
 */
export const storedManifest = (
  db: Db,
  blogId: string,
  lease: Lease,
  { withBase = false }: { readonly withBase?: boolean } = {},
): Manifest => ({
  find: (query) => manifest.findEntries(db, blogId, query),
  async *all() {
    for await (const entries of manifest.allEntries(db, blogId)) {
      yield withBase ? entries : entries.filter(({ page }) => !isOfBase(page));
    }
  },
  uncertainPages: async () =>
    (await manifest.findUncertainPages(db, blogId)).filter((page) => !isOfBase(page)),
  intend: (files) => lease.transaction(db, (tx) => manifest.intendWrites(tx, blogId, files)),
  record: (files) => lease.transaction(db, (tx) => manifest.recordWrites(tx, blogId, files)),
  intendRemovals: (paths) => lease.transaction(db, (tx) => manifest.intendRemovals(tx, blogId, paths)),
});

const BASE = 'base:';

/** The key of a file of the base, in the place of a page's. */
export const baseKey = (path: string): string => BASE + path;

export const isOfBase = (key: string): boolean => key.startsWith(BASE);
