import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** What a folder held before a statement was run. */
export interface Moment {
  /** Writes its files to another folder, which is made, as a machine finds them after a kill. Returns that folder. */
  restoreTo(folder: string): string;
}

export interface Moments {
  /** Statements that were run. */
  readonly statements: number;
  /** What the folder held before them and at the end, each state once. */
  readonly copies: readonly Moment[];
}

type Files = ReadonlyMap<string, Buffer>;

/**
 * Does some work in this process, and copies the files of a folder before every statement that is run on a database:
 * what a `kill -9` at that moment would leave.
 */
export async function copiesBeforeEachStatement(
  folder: string,
  work: () => Promise<unknown>,
): Promise<Moments> {
  const seen = new Map<string, Moment>();
  let statements = 0;
  const keep = () => {
    const files = filesOf(folder);
    const digest = digestOf(files);
    if (!seen.has(digest)) seen.set(digest, { restoreTo: (to) => restore(files, to) });
  };
  const { prepare } = Database.prototype;
  const hooked = function (this: Database.Database, source: string): Database.Statement {
    const statement: Database.Statement = Reflect.apply(prepare, this, [source]);
    const hooks = (['run', 'all', 'get', 'iterate'] as const).map((method) => {
      const run: (...parameters: unknown[]) => unknown = statement[method].bind(statement);
      const hook = (...parameters: unknown[]) => {
        statements += 1;
        keep();
        return run(...parameters);
      };
      return [method, hook];
    });
    return Object.assign(statement, Object.fromEntries(hooks));
  };
  Object.assign(Database.prototype, { prepare: hooked });
  try {
    await work();
  } finally {
    Object.assign(Database.prototype, { prepare });
  }
  keep();
  return { statements, copies: [...seen.values()] };
}

/** All but what SQLite shares between processes, which ends with them. */
function filesOf(folder: string): Files {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('-shm'))
    .map(({ name }) => name);
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

function digestOf(files: Files): string {
  const hash = createHash('sha256');
  for (const [name, bytes] of files) hash.update(`${name} ${bytes.length} `).update(bytes);
  return hash.digest('hex');
}

function restore(files: Files, to: string): string {
  mkdirSync(to);
  for (const [name, bytes] of files) writeFileSync(join(to, name), bytes);
  return to;
}
