import type { z } from 'zod';
import type { Services } from '../compose.ts';

/** One thing that an operator can do, declared once: how it is typed, what it takes and what it prints. */
export interface Command {
  /** As it is typed, in words: `account create`. */
  readonly name: string;
  readonly summary: string;
  /** What follows the name in a line of help. */
  readonly usage: string;
  /** The arguments without a dash, in order. All of them are needed. */
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, 'string' | 'boolean'>>;
  /** Judges positionals and options, together and by name. */
  readonly input: z.ZodType;
  /** A method, so that it may be typed by the schema that `runAdmin` has applied. Returns what to print. */
  run(services: Services, input: unknown): Promise<string>;
}

interface TypedCommand<Input extends z.ZodType> extends Omit<Command, 'run'> {
  readonly input: Input;
  readonly run: (services: Services, input: z.output<Input>) => Promise<string>;
}

/** Declares a command, with a `run` that is typed by its schema. */
export const command = <Input extends z.ZodType>(declared: TypedCommand<Input>): Command => declared;
