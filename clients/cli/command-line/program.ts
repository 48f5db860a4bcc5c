import { CommanderError, Option, Command as Parser, Argument as Word } from 'commander';
import { UsageError } from '../terminal/errors.ts';
import { type Argument, type Command, type Entry, isGroup } from './command.ts';
import type { CommonFlags } from './context.ts';
import { type Flag, oneOf, spelled } from './flags.ts';
import { helpLayout, helpWidth, pathOf } from './help.ts';
import { VERSION } from './version.ts';

/** What a command line asks for. */
export type Parsed =
  | { readonly kind: 'help'; readonly text: string; readonly isAskedFor: boolean }
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly args: Readonly<Record<string, unknown>>;
      readonly flags: Readonly<Record<string, unknown>>;
      readonly common: CommonFlags;
    };

/** Options that every command takes, before or after its name. */
export const commonOptions: readonly (readonly [flags: string, about: string])[] = [
  ['-b, --blog <blog>', 'slug or id of the blog to act on'],
  ['-p, --profile <name>', 'profile to use'],
  ['--url <address>', 'address of the server'],
  ['--json', 'print what the API answers, for programs'],
  ['-y, --yes', 'answer every question with yes'],
];

/** Below the overview. */
const GUIDE =
  '\nplaten <command> --help shows options and examples. The guide is at /docs/command-line/ of your server.';

/** Parses the words after `platen`. Throws a UsageError. */
export async function parseCommandLine(
  words: readonly string[],
  entries: readonly Entry[],
  columns: number | null,
): Promise<Parsed> {
  let [help, path] = ['', 'platen'];
  let found: Parsed | undefined;
  const program = new Parser('platen');
  const write = (text: string) => {
    help += text;
  };
  program
    .description('Publish blogs with Platen.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: write,
      writeErr: write,
      outputError: () => {},
      getOutHelpWidth: () => helpWidth(columns),
      getErrHelpWidth: () => helpWidth(columns),
    })
    .configureHelp(helpLayout)
    .addHelpText('after', GUIDE);
  for (const [flags, about] of commonOptions) program.option(flags, about);
  declare(program, entries, (parser, command) => {
    path = pathOf(parser);
    if (command !== undefined)
      declareCommand(parser, command, (run) => {
        found = { ...run, kind: 'run', common: commonOf(program.opts()) };
      });
  });
  try {
    await program.parseAsync(helpWords(words), { from: 'user' });
  } catch (error) {
    if (error instanceof UsageError) throw withPlace(error.message, path);
    if (!(error instanceof CommanderError)) throw error;
    if (!/^commander\.(?:help|version)/.test(error.code)) throw withPlace(mistake(error), path);
    return { kind: 'help', text: help, isAskedFor: error.exitCode === 0 };
  }
  if (found === undefined) throw new Error('a command line without a command was not refused');
  return found;
}

/** `platen help posts list` is `platen posts list --help`. */
const helpWords = (words: readonly string[]): string[] =>
  words[0] === 'help' ? [...words.slice(1), '--help'] : [...words];

type Found = Pick<Extract<Parsed, { kind: 'run' }>, 'command' | 'args' | 'flags'>;

/**
 * Tells a parser which commands there are. Each is loaded when the command line names it; `onNamed` is called then,
 * without a command if it is a group.
 */
function declare(
  parser: Parser,
  entries: readonly Entry[],
  onNamed: (parser: Parser, command: Command | undefined) => void,
): void {
  for (const { name, summary, heading = '' } of entries)
    parser.command(name).summary(summary).description(`${summary}.`).helpCommand(false).helpGroup(heading);
  parser.hook('preSubcommand', async (_, inner) => {
    const loaded = await entries.find(({ name }) => name === inner.name())?.load();
    if (loaded === undefined) return;
    onNamed(inner, isGroup(loaded) ? undefined : loaded);
    if (isGroup(loaded)) declare(inner, loaded.commands, onNamed);
  });
}

function declareCommand(parser: Parser, command: Command, onFound: (found: Found) => void): void {
  const { about, args, flags, examples } = command;
  if (about !== undefined) parser.description(`${parser.description()}\n\n${about}`);
  for (const [name, argument] of Object.entries(args)) parser.addArgument(wordOf(name, argument));
  for (const [name, flag] of Object.entries(flags)) parser.addOption(optionOf(name, flag));
  const shown = examples.map((example) => `  platen ${example}`);
  parser.addHelpText('after', `\nExamples:\n${shown.join('\n')}`);
  parser.action(() => {
    const values = Object.keys(args).map((name, at) => [name, parser.processedArgs[at]]);
    const options = { ...defaultsOf(command), ...parser.opts() };
    onFound({ command, args: Object.fromEntries(values), flags: options });
  });
}

/** Switches that are not there are false. */
const defaultsOf = ({ flags }: Command): Record<string, boolean> =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([name, { kind }]) => (kind === 'switch' ? [[name, false]] : [])),
  );

function wordOf(name: string, { kind, about, choices }: Argument<unknown>): Word {
  const shape = { required: `<${name}>`, optional: `[${name}]`, some: `<${name}...>` }[kind];
  const word = new Word(shape, choices.length > 0 ? `${about}: ${choices.join(', ')}` : about);
  if (choices.length === 0) return word;
  return word.argParser((typed) => parsedBy(oneOf(choices), `the ${name}`, typed));
}

function optionOf(name: string, { kind, about, placeholder, parse }: Flag<unknown>): Option {
  const flags = spelled(name);
  if (kind === 'switch') return new Option(flags, about);
  if (kind === 'off') return new Option(flags.replace(/^--/, '--no-'), about);
  return new Option(`${flags} <${placeholder}>`, about).argParser((typed: string, previous: unknown) => {
    const value = parsedBy(parse, flags, typed);
    if (kind === 'value') return value;
    return Array.isArray(previous) ? [...previous, value] : [value];
  });
}

function parsedBy(parse: Flag<unknown>['parse'], name: string, typed: string): unknown {
  try {
    return parse(typed);
  } catch (error) {
    throw error instanceof UsageError
      ? new UsageError(`${name} ${error.message}, not ${JSON.stringify(typed)}`)
      : error;
  }
}

function commonOf({ profile, url, blog, json = false, yes = false }: Partial<CommonFlags>): CommonFlags {
  return { profile, url, blog, json, yes };
}

/** `error: unknown command 'pots'\n(Did you mean posts?)` as a sentence. */
function mistake({ message }: CommanderError): string {
  const [, said = message, advice = ''] =
    /^(?:error: )?([\s\S]*?)(?:\n\((Did [\s\S]*)\))?$/.exec(message) ?? [];
  return [said.replace(/\.$/, ''), advice.replace(/^D/, 'd')].filter(Boolean).join(': ');
}

const withPlace = (message: string, path: string): UsageError =>
  new UsageError(`${message}\n  See ${path} --help`);
