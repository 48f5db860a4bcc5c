import type { CompiledQuery } from 'kysely';
import type { Db } from './database.ts';

/** A parameter of a query: a value, or a list of values. */
type Value = string | number | null | readonly ListItem[];
type ListItem = string | number | readonly string[];

/** A query, or raw SQL. */
interface Compilable<Row> {
  compile(db: Db): CompiledQuery<Row>;
}

/** Placeholder for a value in a query that is built before the value is known. */
class Placeholder {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

/**
 * A query that runs often. Building one costs more than running it, so `build` runs once, with placeholders for the
 * values: it may pass them on, but must not inspect them. A list goes into `anyOf` or `rowsOf` (dialect.ts). A limit
 * must not be a parameter: SQLite's plan depends on it, so SQLite would recompile the query for every value.
 */
export function prepared<Values extends readonly Value[], Row>(
  build: (db: Db, ...values: Values) => Compilable<Row>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, ...values) => {
    compiled ??= build(db, ...placeholdersFor(values)).compile(db);
    const parameters = compiled.parameters.map((given) =>
      given instanceof Placeholder ? toParameter(values[given.index]) : given,
    );
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}

/** A list is bound as one JSON text, so that lists of all lengths share one statement. */
const toParameter = (value: Value | undefined) => (Array.isArray(value) ? JSON.stringify(value) : value);

/** Kysely takes anything it does not know for a value, and passes it to the driver unchanged. */
const placeholdersFor = <Values extends readonly unknown[]>(values: Values): Values =>
  values.map((_, index) => new Placeholder(index)) as unknown as Values;
