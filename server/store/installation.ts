import type { Db } from './database.ts';

/** The name of this installation, which its database has from the beginning. */
export async function findInstallation(db: Db): Promise<string> {
  const { id } = await db.selectFrom('installation').select('id').executeTakeFirstOrThrow();
  return id;
}
