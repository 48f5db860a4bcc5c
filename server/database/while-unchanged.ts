import { LRUCache } from 'lru-cache';
import { type Db, versionOf } from './database.ts';

/** Results cached per query. */
const KEPT = 1_000;

type Query<Values extends readonly string[], Row> = (db: Db, ...values: Values) => Promise<Row[]>;

/** The result of a query, and the version of the database that it is from. */
interface Found<Row> {
  readonly version: string;
  readonly rows: readonly Row[];
}

/**
 * Caches the results of a query in memory until the database changes, by any connection. Checking for changes costs a
 * tenth of the query. For frequent queries with few, small rows, which callers must not modify.
 */
export function whileUnchanged<Values extends readonly string[], Row>(
  query: Query<Values, Row>,
): (db: Db, ...values: Values) => Promise<readonly Row[]> {
  const foundIn = new WeakMap<Db, LRUCache<string, Found<Row>>>();

  function answersOf(db: Db): LRUCache<string, Found<Row>> {
    const known = foundIn.get(db);
    if (known) return known;
    // Created once: creating a cache takes longer than a query.
    const answers = new LRUCache<string, Found<Row>>({ max: KEPT });
    foundIn.set(db, answers);
    return answers;
  }

  return async (db, ...values) => {
    // Read before the query, whose result may be newer than this version but never older.
    const version = versionOf(db);
    if (version === null) return query(db, ...values);
    const answers = answersOf(db);
    const key = JSON.stringify(values);
    const found = answers.get(key);
    if (found?.version === version) return found.rows;
    const rows = await query(db, ...values);
    answers.set(key, { version, rows });
    return rows;
  };
}
