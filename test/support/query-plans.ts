import { CompiledQuery } from 'kysely';
import type { Db } from '../../server/database/database.ts';

/** How SQLite would find the rows of these queries: a line for each table, `SEARCH …` where it need not look at all. */
export async function plansOf(db: Db, queries: readonly CompiledQuery[]): Promise<string[]> {
  const plans: string[] = [];
  for (const { sql, parameters } of queries) {
    const explain = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
    const { rows } = await db.executeQuery<{ detail: string }>(explain);
    plans.push(...rows.map(({ detail }) => detail));
  }
  return plans;
}
