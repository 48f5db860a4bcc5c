import type { Db } from '../database/database.ts';
import type { OwnerHtml, ThemeConfig } from './theme.ts';

/** A blog whose owner's HTML was made whole by an older version. */
export interface OutdatedOwnerHtml {
  readonly blogId: string;
  readonly accountId: string;
  /** As stored, JSON. */
  readonly source: string;
  readonly themeConfig: ThemeConfig;
}

/** The first blog, by its id, after `after` whose owner's HTML was made before `version`. */
export async function findOutdatedOwnerHtml(
  db: Db,
  version: number,
  after: string,
): Promise<OutdatedOwnerHtml | null> {
  const row = await db
    .selectFrom('blogs')
    .select(['id', 'account_id', 'theme_config'])
    .where('owner_html_version', '<', version)
    .where('id', '>', after)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { id, account_id, theme_config } = row;
  return { blogId: id, accountId: account_id, source: theme_config, themeConfig: JSON.parse(theme_config) };
}

/**
 * Stores what was made of a blog's HTML. Returns what stood there before; null if the owner has changed the HTML since
 * `source` was read: then nothing is stored.
 */
export async function replaceOwnerHtml(
  db: Db,
  { blogId, source }: OutdatedOwnerHtml,
  made: OwnerHtml,
  version: number,
): Promise<OwnerHtml | null> {
  const row = await db
    .selectFrom('blogs')
    .select('owner_html')
    .where('id', '=', blogId)
    .where('theme_config', '=', source)
    .executeTakeFirst();
  if (!row) return null;
  await db
    .updateTable('blogs')
    .set({ owner_html: JSON.stringify(made), owner_html_version: version })
    .where('id', '=', blogId)
    .execute();
  return JSON.parse(row.owner_html);
}
