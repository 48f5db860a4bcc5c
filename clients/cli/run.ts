import type { CommonFlags, Context, Environment } from './command-line/context.ts';
import { parseCommandLine } from './command-line/program.ts';
import { entries } from './entries.ts';
import type { ProfileStore } from './profiles/profile-store.ts';
import type { SignIn } from './profiles/sign-in.ts';
import type { Terminal } from './terminal/terminal.ts';

/** What a process, or a test, gives to the command line. */
export interface Surroundings {
  readonly cwd: string;
  readonly environment: Environment;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly profiles: ProfileStore;
}

/** Runs the words after `platen`. Resolves to the exit code, and never rejects. */
export async function run(words: readonly string[], around: Surroundings): Promise<number> {
  const { terminal, signal } = around;
  try {
    const parsed = await parseCommandLine(words, entries, terminal.columns);
    if (parsed.kind === 'help') {
      (parsed.isAskedFor ? terminal.print : terminal.tell)(parsed.text);
      return parsed.isAskedFor ? 0 : 2;
    }
    const context = contextOf(around, parsed.common);
    const code = await parsed.command.run(context, parsed.args, parsed.flags);
    return typeof code === 'number' ? code : 0;
  } catch (error) {
    // Loaded only now: most runs do not need it.
    const { failureOf, failureText } = await import('./terminal/failures.ts');
    const failure = failureOf(error, signal.aborted);
    terminal.tell(failureText(failure, words.includes('--json')));
    return failure.exitCode;
  }
}

function contextOf(around: Surroundings, common: CommonFlags): Context {
  const { environment, profiles } = around;
  const signIn = async (): Promise<SignIn> => {
    const { signInOf } = await import('./profiles/sign-in.ts');
    return signInOf({ environment, flags: common, settings: await profiles.load() });
  };
  const platen = async () => {
    const { createClient } = await import('./profiles/client.ts');
    return createClient(await signIn());
  };
  return { ...around, common, signIn, platen };
}
