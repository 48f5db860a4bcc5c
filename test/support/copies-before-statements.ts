import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Contents of a folder before a statement. */
export interface Moment {
  /** Writes the files to a new folder in the state that a kill would leave. Returns that folder. */
  restoreTo(folder: string): string;
}

export interface Moments {
  /** Number of statements. */
  readonly statements: number;
  /** Distinct contents of the folder before each statement and at the end. */
  readonly copies: readonly Moment[];
}

type Files = ReadonlyMap<string, Buffer>;

/**
 * Runs some work in this process, and copies the files of a folder before every SQL statement: the state that a `kill
 * -9` at that point would leave.
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

/** All files except SQLite's shared memory, which is lost with its processes. */
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
