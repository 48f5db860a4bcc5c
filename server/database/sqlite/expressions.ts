import { type RawBuilder, sql } from 'kysely';

/** Parts of queries. Lists are bound as JSON (prepared-query.ts). */

export const anyOf = (texts: readonly string[]): RawBuilder<string> => valuesOf(texts);

export const anyNumberOf = (numbers: readonly number[]): RawBuilder<number> => valuesOf(numbers);

const valuesOf = <T>(values: readonly T[]) => sql<T>`(select value from json_each(${values}))`;

export const rowsOf = <Column extends string>(
  rows: readonly (readonly string[])[],
  columns: readonly Column[],
): RawBuilder<Record<Column, string>> => {
  const values = columns.map((name, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(name)}`);
  return sql`(select ${sql.join(values)} from json_each(${rows}))`;
};

export const databaseNow = (): RawBuilder<number> => sql`cast(unixepoch('subsec') * 1000 as integer)`;
