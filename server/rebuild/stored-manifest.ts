import type { Manifest } from '../../generator/press.ts';
import type { Db } from '../store/database.ts';
import * as manifest from '../store/manifest.ts';

/**
 * A blog's manifest as the press uses it, each step in a transaction of its own. The base of its search is none of the
 * press's pages, and stays as it is.
 */
export const storedManifest = (db: Db, blogId: string): Manifest => ({
  find: (query) => manifest.findEntries(db, blogId, query),
  async *all() {
    for await (const entries of manifest.allEntries(db, blogId)) {
      yield entries.filter(({ page }) => !isOfBase(page));
    }
  },
  uncertainPages: async () =>
    (await manifest.findUncertainPages(db, blogId)).filter((page) => !isOfBase(page)),
  intend: (files) => db.transaction().execute((tx) => manifest.intendWrites(tx, blogId, files)),
  record: (files) => db.transaction().execute((tx) => manifest.recordWrites(tx, blogId, files)),
});

const BASE = 'base:';

/** The key of a file of the base, in the place of a page's. */
export const baseKey = (path: string): string => BASE + path;

export const isOfBase = (key: string): boolean => key.startsWith(BASE);
