import type { Compilable, CompiledQuery } from 'kysely';
import type { Db } from './database.ts';

/** Stands for a value in a query that is built before there is one. */
class Slot {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

/**
 * A query that is asked often. To build one costs more than to ask it, so this one is built once, with slots in the
 * place of the values: `build` may hand them on, and must not look at them. Each stands for a single value, none for a
 * list, and none for a limit, on which SQLite's plan depends: it would compile the query anew for every value.
 */
export function prepared<Values extends readonly (string | number)[], Row>(
  build: (db: Db, ...values: Values) => Compilable<Row>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  let built: CompiledQuery<Row> | undefined;
  return async (db, ...values) => {
    built ??= build(db, ...slotsFor(values)).compile();
    const parameters = built.parameters.map((given) => (given instanceof Slot ? values[given.index] : given));
    return (await db.executeQuery<Row>({ ...built, parameters })).rows;
  };
}

/** Kysely takes whatever it does not know for a value, and hands it to the driver as it is. */
const slotsFor = <Values extends readonly unknown[]>(values: Values): Values =>
  values.map((_, index) => new Slot(index)) as unknown as Values;
