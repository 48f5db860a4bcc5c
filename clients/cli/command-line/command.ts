import type { Context } from './context.ts';
import type { Flags, FlagValues } from './flags.ts';

/** One word, or several, that a command acts on. */
export interface Argument<Value> {
  readonly kind: 'required' | 'optional' | 'some';
  readonly about: string;
  /** Whether it is the path of a file or folder, for completion. */
  readonly isPath: boolean;
  readonly choices: readonly string[];
  /** Exists only as a type. */
  readonly value?: Value;
}

export type Arguments = Readonly<Record<string, Argument<unknown>>>;
export type ArgumentValues<Of extends Arguments> = {
  readonly [Name in keyof Of]: Of[Name] extends Argument<infer Value> ? Value : never;
};

interface ArgumentOptions {
  readonly isPath?: boolean;
  readonly choices?: readonly string[];
}
const argument = <Value>(
  kind: Argument<Value>['kind'],
  about: string,
  { isPath = false, choices = [] }: ArgumentOptions,
): Argument<Value> => ({ kind, about, isPath, choices });

export const required = (about: string, options: ArgumentOptions = {}): Argument<string> =>
  argument('required', about, options);
export const optional = (about: string, options: ArgumentOptions = {}): Argument<string | undefined> =>
  argument('optional', about, options);
/** One or more words. */
export const some = (about: string, options: ArgumentOptions = {}): Argument<readonly string[]> =>
  argument('some', about, options);

/** What a command is: its help, its completion and how it is parsed all come from here. */
export interface CommandSpec<Args extends Arguments, Of extends Flags> {
  /** What else its help says. */
  readonly about?: string;
  /** In the order in which they are typed. */
  readonly args?: Args;
  readonly flags?: Of;
  /** Command lines, without `platen`. */
  readonly examples: readonly string[];
  /** Resolves to the exit code, if that is not always 0. Throws what stops it. */
  readonly run: (
    context: Context,
    args: ArgumentValues<Args>,
    flags: FlagValues<Of>,
  ) => Promise<void> | Promise<number>;
}

/** A command whose types are forgotten, so that all of them fit into one table. */
export interface Command {
  readonly about: string | undefined;
  readonly args: Arguments;
  readonly flags: Flags;
  readonly examples: readonly string[];
  readonly run: (
    context: Context,
    args: Readonly<Record<string, unknown>>,
    flags: Readonly<Record<string, unknown>>,
  ) => Promise<void> | Promise<number>;
}

/** A command, or a group of commands, that is loaded when it is used, so that help is there at once. */
export interface Entry {
  readonly name: string;
  /** What it does, in a few words without a full stop. */
  readonly summary: string;
  /** Heading in the overview of all commands. */
  readonly heading?: string;
  readonly load: () => Promise<Command | Group>;
}

/** Commands about one thing, by their verbs. */
export interface Group {
  readonly commands: readonly Entry[];
}

export const isGroup = (loaded: Command | Group): loaded is Group => 'commands' in loaded;

/** Declares a command. What the parser gives has the types of its arguments and options, by `program.ts`. */
export function command<const Args extends Arguments, const Of extends Flags>(
  spec: CommandSpec<Args, Of>,
): Command {
  const { about, args, flags, examples } = spec;
  return {
    about,
    args: args ?? {},
    flags: flags ?? {},
    examples,
    run: (context, given, options) =>
      spec.run(context, given as ArgumentValues<Args>, options as FlagValues<Of>),
  };
}
