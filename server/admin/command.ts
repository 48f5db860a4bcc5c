import type { z } from 'zod';
import type { Services } from '../compose.ts';
import type { Config } from '../config/config.ts';
import type { Progress } from '../upkeep/progress.ts';

/** Output of a command with its exit code. */
export interface CommandOutput {
  readonly text: string;
  readonly exitCode: 0 | 1 | 2;
}

/** What a command can use in addition to the services. */
export interface CommandContext {
  readonly progress: Progress;
  /**
   * Reads the configuration of another edge from a file (`NAME=value`). The edge variables come from the file alone,
   * all others from the environment unless the file sets them.
   */
  readonly readEdgeConfig: (file: string) => Config;
  /**
   * For commands that run until the operator stops them: aborts at the first Ctrl-C. One that comes seconds later
   * ends the process.
   */
  readonly stopSignal: () => AbortSignal;
}

/** One command, declared once: its name, its arguments and its action. */
export interface Command {
  /** The words of the command line: `account create`. */
  readonly name: string;
  /** Former name, still accepted. It must have as many words as `name`. */
  readonly formerName?: string;
  readonly summary: string;
  /** Arguments as help shows them after the name. */
  readonly usage: string;
  /** Longer text for the command's own `--help`. */
  readonly details?: string;
  /** Names of the positional arguments, in order. All are required. */
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, 'string' | 'boolean'>>;
  /** Exit code if the command throws; the default is 1. */
  readonly failureExitCode?: 1 | 2;
  /** Validates positionals and options as one object, by name. */
  readonly input: z.ZodType;
  /** Returns the text to print. A method, not a property: method parameters are bivariant, see `TypedCommand`. */
  run(services: Services, input: unknown, context: CommandContext): Promise<string | CommandOutput>;
}

interface TypedCommand<Input extends z.ZodType> extends Omit<Command, 'run'> {
  readonly input: Input;
  readonly run: (
    services: Services,
    input: z.output<Input>,
    context: CommandContext,
  ) => Promise<string | CommandOutput>;
}

/** Declares a command; the schema determines the input type of `run`. */
export const command = <Input extends z.ZodType>(declared: TypedCommand<Input>): Command => declared;
