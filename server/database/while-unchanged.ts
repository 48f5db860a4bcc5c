import { LRUCache } from 'lru-cache';
import { type Db, versionOf } from './database.ts';

/** Answers that are kept of one query. */
const KEPT = 1_000;

type Query<Values extends readonly string[], Row> = (db: Db, ...values: Values) => Promise<Row[]>;

/** What a query has found, and in which version of the database. */
interface Found<Row> {
  readonly version: string;
  readonly rows: readonly Row[];
}

/**
 * A query that most requests ask, answered from memory until the database changes, by whomever: to look whether it has
 * costs a tenth of the query. For few and small rows, which nobody changes.
 */
export function whileUnchanged<Values extends readonly string[], Row>(
  query: Query<Values, Row>,
): (db: Db, ...values: Values) => Promise<readonly Row[]> {
  const foundIn = new WeakMap<Db, LRUCache<string, Found<Row>>>();

  function answersOf(db: Db): LRUCache<string, Found<Row>> {
    const known = foundIn.get(db);
    if (known) return known;
    // Made once: to make one takes longer than a query.
    const answers = new LRUCache<string, Found<Row>>({ max: KEPT });
    foundIn.set(db, answers);
    return answers;
  }

  return async (db, ...values) => {
    // Before the query: what it finds may be newer than this version, and never older.
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
