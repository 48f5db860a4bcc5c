import { LRUCache } from 'lru-cache';
import { type Db, versionOf } from './database.ts';

/** Answers that are kept of one query. */
const KEPT = 1_000;

type Query<Values extends readonly string[], Row> = (db: Db, ...values: Values) => Promise<Row[]>;

/** What a query has found in one version of the database. */
interface Found<Row> {
  readonly version: string;
  readonly rows: LRUCache<string, readonly Row[]>;
}

/**
 * A query that most requests ask, answered from memory until the database changes, by whomever: to look whether it has
 * costs a tenth of the query. For few and small rows, which nobody changes.
 */
export function whileUnchanged<Values extends readonly string[], Row>(
  query: Query<Values, Row>,
): (db: Db, ...values: Values) => Promise<readonly Row[]> {
  const foundIn = new WeakMap<Db, Found<Row>>();

  function rowsOf(db: Db, version: string): Found<Row>['rows'] {
    const found = foundIn.get(db);
    if (found?.version === version) return found.rows;
    const rows = new LRUCache<string, readonly Row[]>({ max: KEPT });
    foundIn.set(db, { version, rows });
    return rows;
  }

  return async (db, ...values) => {
    // Before the query: what it finds may be newer than this version, and never older.
    const version = versionOf(db);
    if (version === null) return query(db, ...values);
    const kept = rowsOf(db, version);
    const key = JSON.stringify(values);
    const known = kept.get(key);
    if (known) return known;
    const rows = await query(db, ...values);
    kept.set(key, rows);
    return rows;
  };
}
