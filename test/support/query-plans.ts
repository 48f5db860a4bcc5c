import { CompiledQuery } from 'kysely';
import type { Db } from '../../server/database/database.ts';

/** SQLite's query plans: one line for each table, `SEARCH …` if it uses an index. */
export async function plansOf(db: Db, queries: readonly CompiledQuery[]): Promise<string[]> {
  const plans: string[] = [];
  for (const { sql, parameters } of queries) {
    const explain = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
    const { rows } = await db.executeQuery<{ detail: string }>(explain);
    plans.push(...rows.map(({ detail }) => detail));
  }
  return plans;
}
