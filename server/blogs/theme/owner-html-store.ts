import type { Db } from '../../database/database.ts';
import type { OwnerHtml, ThemeConfig } from './theme.ts';

/** A blog whose owner HTML was processed by an older version of `closeHtml`. */
export interface OutdatedOwnerHtml {
  readonly blogId: string;
  readonly accountId: string;
  /** The stored theme configuration, JSON. */
  readonly source: string;
  readonly themeConfig: ThemeConfig;
}

/** The next blog by id after `after` whose owner HTML was processed before `version`. */
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
 * Stores the processed owner HTML of a blog. Returns the previous one; null if the owner has changed the HTML since
 * `source` was read, in which case nothing is stored.
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
