import { chmodSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { syncToDisk } from '../../generator/to-disk.ts';
import type { Db } from './database.ts';

/** Backs up a database file beside it and removes older backups. Returns the path once the copy is on disk. */
export async function backUpBefore(db: Db, file: string, migration: string): Promise<string> {
  const copy = `${file}${BACKUP_INFIX}${migration}`;
  const unfinished = `${copy}.unfinished`;
  rmSync(unfinished, { force: true });
  await sql`vacuum into ${unfinished}`.execute(db);
  chmodSync(unfinished, 0o600);
  deleteStoredResponses(unfinished);
  syncToDisk(unfinished);
  renameSync(unfinished, copy);
  syncToDisk(dirname(file));
  for (const name of readdirSync(dirname(file))) {
    const path = join(dirname(file), name);
    if (name.startsWith(basename(file) + BACKUP_INFIX) && path !== copy) rmSync(path);
  }
  return copy;
}

/** Earlier versions stored whole responses for retries, some with secrets in clear text. The backup omits them. */
function deleteStoredResponses(file: string): void {
  const copy = new Database(file);
  try {
    copy.pragma('journal_mode = memory');
    copy.pragma('secure_delete = on');
    const hasTable = copy
      .prepare("select 1 from sqlite_master where type = 'table' and name = 'answers'")
      .get();
    if (hasTable !== undefined) copy.exec('delete from answers');
  } finally {
    copy.close();
  }
}

const BACKUP_INFIX = '.before-';
