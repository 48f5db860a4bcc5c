import type { Context } from '../command-line/context.ts';
import { UsageError } from '../terminal/errors.ts';

/**
 * Asks before something is done that cannot be undone. Resolves to whether it is wanted. Throws a UsageError if nobody
 * can answer and `--yes` was not given.
 */
export async function isConfirmed(
  { terminal, common }: Pick<Context, 'terminal' | 'common'>,
  question: string,
): Promise<boolean> {
  if (common.yes) return true;
  if (terminal.prompts === null)
    throw new UsageError(`${question} There is no terminal to answer at: repeat the command with --yes`);
  if (await terminal.prompts.confirm(question)) return true;
  terminal.tell('Nothing was done.\n');
  return false;
}
