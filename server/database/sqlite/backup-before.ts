import { chmodSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sql } from 'kysely';
import { syncToDisk } from '../../../generator/sync-to-disk.ts';
import type { Db } from '../database.ts';

export async function backUpBefore(db: Db, file: string, migration: string): Promise<string> {
  const copy = `${file}${BACKUP_INFIX}${migration}`;
  const unfinished = `${copy}.unfinished`;
  rmSync(unfinished, { force: true });
  await sql`vacuum into ${unfinished}`.execute(db);
  chmodSync(unfinished, 0o600);
  syncToDisk(unfinished);
  renameSync(unfinished, copy);
  syncToDisk(dirname(file));
  for (const name of readdirSync(dirname(file))) {
    const path = join(dirname(file), name);
    if (name.startsWith(basename(file) + BACKUP_INFIX) && path !== copy) rmSync(path);
  }
  return copy;
}

const BACKUP_INFIX = '.before-';
