import { LRUCache } from 'lru-cache';
import type { Db } from './database.ts';
import { databaseVersion } from './dialect.ts';

/** Results cached per query. */
const MAX_RESULTS = 1_000;

type Query<Values extends readonly string[], Row> = (db: Db, ...values: Values) => Promise<Row[]>;

/** The result of a query, and the version of the database that it is from. */
interface CachedResult<Row> {
  readonly version: string;
  readonly rows: readonly Row[];
}

/**
 * Caches the results of a query in memory until the database changes, by any connection. Checking for changes costs a
 * tenth of the query. For frequent queries with few, small rows, which callers must not modify.
 */
export function cachedUntilChange<Values extends readonly string[], Row>(
  query: Query<Values, Row>,
): (db: Db, ...values: Values) => Promise<readonly Row[]> {
  const caches = new WeakMap<Db, LRUCache<string, CachedResult<Row>>>();

  function cacheOf(db: Db): LRUCache<string, CachedResult<Row>> {
    const known = caches.get(db);
    if (known) return known;
    // Created once: creating a cache takes longer than a query.
    const answers = new LRUCache<string, CachedResult<Row>>({ max: MAX_RESULTS });
    caches.set(db, answers);
    return answers;
  }

  return async (db, ...values) => {
    // Read before the query, whose result may be newer than this version but never older.
    const version = databaseVersion(db);
    if (version === null) return query(db, ...values);
    const answers = cacheOf(db);
    const key = JSON.stringify(values);
    const found = answers.get(key);
    if (found?.version === version) return found.rows;
    const rows = await query(db, ...values);
    answers.set(key, { version, rows });
    return rows;
  };
}
