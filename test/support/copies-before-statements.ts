import Database from 'better-sqlite3';
import { type Moment, momentsOf } from './moments.ts';

export interface StatementCopies {
  /** Number of statements. */
  readonly statements: number;
  /** Distinct contents of the folder before each statement and at the end. */
  readonly copies: readonly Moment[];
}

/** Runs some work in this process, and copies the files of a folder before every SQL statement. */
export async function copiesBeforeEachStatement(
  folder: string,
  work: () => Promise<unknown>,
): Promise<StatementCopies> {
  const { keep, kept } = momentsOf(folder);
  let statements = 0;
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
  return { statements, copies: kept };
}
