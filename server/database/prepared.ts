import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';

/** A value of a query, or a list of them. */
type Value = string | number | null | readonly Listable[];
type Listable = string | number | readonly (string | number)[];

/** A query, or raw SQL. */
interface Buildable<Row> {
  compile(db: Db): CompiledQuery<Row>;
}

/** Stands for a value in a query that is built before there is one. */
class Slot {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

/**
 * A query that is asked often. To build one costs more than to ask it, so this one is built once, with slots in the
 * place of the values: `build` may hand them on, and must not look at them. One that is a list has its place in
 * `anyOf`. None stands for a limit, on which SQLite's plan depends: it would compile the query anew for every value.
 */
export function prepared<Values extends readonly Value[], Row>(
  build: (db: Db, ...values: Values) => Buildable<Row>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  let built: CompiledQuery<Row> | undefined;
  return async (db, ...values) => {
    built ??= build(db, ...slotsFor(values)).compile(db);
    const parameters = built.parameters.map((given) =>
      given instanceof Slot ? bound(values[given.index]) : given,
    );
    return (await db.executeQuery<Row>({ ...built, parameters })).rows;
  };
}

/** What stands in a list of values that is a prepared query's, however many there are: `where('id', 'in', anyOf(ids))`. */
export const anyOf = <T extends string | number>(values: readonly T[]): RawBuilder<T> =>
  sql<T>`(select value from json_each(${values}))`;

/**
 * The rows that a list of values is, in a prepared query: one, or several that are each a list, in `value`. An insert of
 * them that has a conflict clause needs a condition, or SQLite takes that clause for a join's.
 */
export const rowsOf = <Row>(values: readonly (string | readonly string[])[]): RawBuilder<Row> =>
  sql<Row>`json_each(${values})`;

/** A list is one text, so that lists of all lengths are one statement. */
const bound = (value: Value | undefined) => (Array.isArray(value) ? JSON.stringify(value) : value);

/** Kysely takes whatever it does not know for a value, and hands it to the driver as it is. */
const slotsFor = <Values extends readonly unknown[]>(values: Values): Values =>
  values.map((_, index) => new Slot(index)) as unknown as Values;
