import { chmodSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sql } from 'kysely';
import { toDisk } from '../../generator/to-disk.ts';
import type { Db } from './database.ts';

/**
 * Keeps a copy of a database's file beside it, as of this moment, and removes older ones. Returns its path when the disk
 * has all of it.
 */
export async function copyBefore(db: Db, file: string, what: string): Promise<string> {
  const copy = `${file}${MARK}${what}`;
  const unfinished = `${copy}.unfinished`;
  rmSync(unfinished, { force: true });
  await sql`vacuum into ${unfinished}`.execute(db);
  chmodSync(unfinished, 0o600);
  toDisk(unfinished);
  renameSync(unfinished, copy);
  toDisk(dirname(file));
  for (const name of readdirSync(dirname(file))) {
    const path = join(dirname(file), name);
    if (name.startsWith(basename(file) + MARK) && path !== copy) rmSync(path);
  }
  return copy;
}

const MARK = '.before-';
