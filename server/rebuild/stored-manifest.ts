import type { Manifest } from '../../generator/press.ts';
import type { Db } from '../store/database.ts';
import * as manifest from '../store/manifest.ts';

/** A blog's manifest as the press uses it, each step in a transaction of its own. */
export const storedManifest = (db: Db, blogId: string): Manifest => ({
  find: (query) => manifest.findEntries(db, blogId, query),
  all: () => manifest.allEntries(db, blogId),
  uncertainPages: () => manifest.findUncertainPages(db, blogId),
  intend: (files) => db.transaction().execute((tx) => manifest.intendWrites(tx, blogId, files)),
  record: (files) => db.transaction().execute((tx) => manifest.recordWrites(tx, blogId, files)),
});
