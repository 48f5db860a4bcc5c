import type { z } from 'zod';
import type { Services } from '../compose.ts';
import type { Config } from '../config/config.ts';
import type { Progress } from '../upkeep/progress.ts';

/** What a command has to say, and the exit code where that is not 0. */
export interface Said {
  readonly text: string;
  readonly exitCode: 0 | 1 | 2;
}

/** What a command has beside the services. */
export interface Surroundings {
  readonly progress: Progress;
  /**
   * The configuration of which the variables of the edge are those in a file (`NAME=value`), and all others, where the file
   * does not name them, those of the environment.
   */
  readonly readOther: (file: string) => Config;
  /** Asked for by what goes on until the operator stops it: aborted then (Ctrl-C). A second time ends the process. */
  readonly untilStopped: () => AbortSignal;
}

/** One thing that an operator can do, declared once: how it is typed, what it takes and what it prints. */
export interface Command {
  /** As it is typed, in words: `account create`. */
  readonly name: string;
  /** What it was called before, in as many words; it is still understood. */
  readonly formerly?: string;
  readonly summary: string;
  /** What follows the name in a line of help. */
  readonly usage: string;
  /** More about it, for its own help. */
  readonly details?: string;
  /** The arguments without a dash, in order. All of them are needed. */
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, 'string' | 'boolean'>>;
  /** Exit code where it cannot be done; 1 where it says nothing. */
  readonly failure?: 1 | 2;
  /** Judges positionals and options, together and by name. */
  readonly input: z.ZodType;
  /** A method, so that it may be typed by the schema that `runAdmin` has applied. Returns what to print. */
  run(services: Services, input: unknown, surroundings: Surroundings): Promise<string | Said>;
}

interface TypedCommand<Input extends z.ZodType> extends Omit<Command, 'run'> {
  readonly input: Input;
  readonly run: (
    services: Services,
    input: z.output<Input>,
    surroundings: Surroundings,
  ) => Promise<string | Said>;
}

/** Declares a command, with a `run` that is typed by its schema. */
export const command = <Input extends z.ZodType>(declared: TypedCommand<Input>): Command => declared;
