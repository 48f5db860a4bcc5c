import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { prepared } from '../prepared-query.ts';
import type { SearchWords, WordMatches, WordQuery } from '../search-tables.ts';

/** `search_words` is an FTS5 index without texts. Its row numbers are the ids of `search_rows`. */

/**
 * The newest matches, up to this number, are ranked; older ones follow by age. Words with more matches are too common
 * to tell posts apart, and ranking half a million posts would block everyone.
 */
const MAX_RANKED = 10_000;

export async function indexWords(db: Db, postId: string, words: SearchWords): Promise<void> {
  await upsertWords(db, postId, ...words);
}

const upsertWords = prepared(
  (_db, postId: string, ...words: SearchWords) => sql<never>`
    insert or replace into search_words (rowid, title, description, headings, tags, keys)
    select id, ${sql.join(words)} from search_rows where post_id = ${postId}`,
);

export async function findMatches(
  db: Db,
  query: WordQuery,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<WordMatches> {
  const match = matchOf(query);
  const total = await countMatches(db, match);
  if (offset >= total) return { ids: [], total };
  const oldestRanked = total > MAX_RANKED ? await newestMatch(db, match, MAX_RANKED) : 0;
  const oldest = offset + limit <= MAX_RANKED ? oldestRanked : 0;
  // A rank is negative, and lower is better. Row numbers are literals, because a bound number is not an integer here.
  const { rows } = await sql<{ id: number }>`
    select rowid as id from search_words
    where search_words match ${match} and rowid >= ${sql.lit(oldest)}
    order by
      case when rowid >= ${sql.lit(oldestRanked)} then bm25(search_words, 10, 5, 3, 2, 0) else 0 end,
      rowid desc
    limit ${limit} offset ${offset}`.execute(db);
  return { ids: rows.map(({ id }) => id), total };
}

/** Words are letters and digits only, so quotes are enough to escape them. */
function matchOf({ terms, keys, exceptKeys }: WordQuery): string {
  const required = [
    ...terms.map(({ words, prefix }) => `"${words.join(' ')}"${prefix ? '*' : ''}`),
    ...keys.map((key) => `"${key}"`),
  ].join(' AND ');
  if (exceptKeys.length === 0) return required;
  return `(${required}) NOT (${exceptKeys.map((key) => `"${key}"`).join(' OR ')})`;
}

async function countMatches(db: Db, match: string): Promise<number> {
  const { rows } = await sql<{ matches: number }>`
    select count(*) as matches from search_words where search_words match ${match}`.execute(db);
  return rows[0]?.matches ?? 0;
}

/** Row number of the `n`th newest match. */
async function newestMatch(db: Db, match: string, n: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select rowid as id from search_words where search_words match ${match}
    order by rowid desc limit 1 offset ${n - 1}`.execute(db);
  return rows[0]?.id ?? 0;
}
