import type { Db } from '../database/database.ts';
import type { ServerSettings } from './server-settings.ts';

/** The id of this installation, which its database has from the beginning. */
export async function findInstallation(db: Db): Promise<string> {
  const { id } = await db.selectFrom('installation').select('id').executeTakeFirstOrThrow();
  return id;
}

/** The name of the edge that the most recently started server publishes to; null before the first start. */
export async function findPublishedEdge(db: Db): Promise<string | null> {
  return (await db.selectFrom('installation').select('edge').executeTakeFirstOrThrow()).edge;
}

export async function setPublishedEdge(db: Db, edge: string): Promise<void> {
  await db.updateTable('installation').set({ edge }).execute();
}

/** Settings of the most recently started server; null before the first start of a version that stores them. */
export async function findServerSettings(db: Db): Promise<ServerSettings | null> {
  const row = await db.selectFrom('installation').select('server_settings').executeTakeFirstOrThrow();
  return row.server_settings === null ? null : JSON.parse(row.server_settings);
}

export async function setServerSettings(db: Db, settings: ServerSettings): Promise<void> {
  await db
    .updateTable('installation')
    .set({ server_settings: JSON.stringify(settings) })
    .execute();
}
