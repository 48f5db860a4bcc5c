import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import type { Services } from '../compose.ts';
import type { Command, CommandContext, CommandOutput } from './command.ts';
import { accountCommands } from './commands/account.ts';
import { auditCommands } from './commands/audit.ts';
import { edgeCommands } from './commands/edge.ts';
import { moderationCommands } from './commands/moderation.ts';

const NAME = 'platen-admin';

const commands: readonly Command[] = [
  ...accountCommands,
  ...moderationCommands,
  ...edgeCommands,
  ...auditCommands,
];

export interface AdminOptions extends CommandContext {
  /** Called after the command line is parsed, so that help and usage errors need no installation. */
  readonly open: () => Promise<Services>;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/**
 * Parses a command line and runs its command. Resolves to the exit code: 2 for a usage error, 1 (or the command's
 * `failure`) if the command throws, otherwise the exit code of the command.
 */
export async function runAdmin(args: readonly string[], options: AdminOptions): Promise<0 | 1 | 2> {
  const { open, print, printError } = options;
  const command = commands.find(({ name, formerName = name }) =>
    [name, formerName].some((typed) => isPrefix(typed.split(' '), args)),
  );
  if (!command) {
    const help = args.length === 0 || args.includes('--help') || args.includes('-h');
    if (help) print(overview(args.filter((word) => !word.startsWith('-'))));
    else printError(`${NAME}: there is no command "${args.join(' ')}"; see ${NAME} --help`);
    return args.length > 0 && help ? 0 : 2;
  }
  const parsed = parseCommandLine(command, args.slice(command.name.split(' ').length));
  if ('help' in parsed) {
    print(helpOf(command));
    return 0;
  }
  if ('problem' in parsed) {
    printError(`${NAME} ${command.name}: ${parsed.problem}\n${usageOf(command)}`);
    return 2;
  }
  return runAndPrint(
    async () => {
      const services = await open();
      try {
        const output = await services.auditLog.asOperator(userName(), command.name, () =>
          command.run(services, parsed.input, options),
        );
        return typeof output === 'string' ? { text: output, exitCode: 0 } : output;
      } finally {
        options.progress.end();
        await services.close();
      }
    },
    command.failureExitCode ?? 1,
    options,
  );
}

/** The operating system's user name, or the uid if the user has no name, as in some containers. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

type ParsedCommandLine = { readonly help: true } | { readonly problem: string } | { readonly input: unknown };

function parseCommandLine(command: Command, args: readonly string[]): ParsedCommandLine {
  const options = Object.fromEntries(Object.entries(command.options).map(([name, type]) => [name, { type }]));
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
  } catch (error) {
    return { problem: shortMessage(messageOf(error)) };
  }
  const { help, ...values } = parsed.values;
  if (help) return { help: true };
  const names = command.positionals;
  if (parsed.positionals.length !== names.length) {
    const [extra] = parsed.positionals;
    const problem =
      names.length === 0 ? `takes no argument "${extra}", only options` : `needs ${names.join(' and ')}`;
    return { problem };
  }
  const positionals = Object.fromEntries(names.map((name, index) => [name, parsed.positionals[index]]));
  const validated = command.input.safeParse({ ...values, ...positionals });
  if (validated.success) return { input: validated.data };
  const [issue] = validated.error.issues;
  const field = String(issue?.path[0]);
  return { problem: `${names.includes(field) ? field : `--${field}`} ${issue?.message}` };
}

/** Shortens the messages of Node's `parseArgs`. */
function shortMessage(message: string): string {
  const [, missing] = /^Option '(--[\w-]+) <value>'/.exec(message) ?? [];
  if (missing) return `${missing} needs a value`;
  const [, unknown] = /^Unknown option '([^']+)'/.exec(message) ?? [];
  return unknown ? `there is no option ${unknown}` : message.replace(/\. .*/s, '');
}

async function runAndPrint(
  work: () => Promise<CommandOutput>,
  failureExitCode: 1 | 2,
  { print, printError }: AdminOptions,
): Promise<0 | 1 | 2> {
  try {
    const { text, exitCode } = await work();
    print(text);
    return exitCode;
  } catch (error) {
    printError(`${NAME}: ${messageOf(error)}`);
    return failureExitCode;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const isPrefix = (words: readonly string[], args: readonly string[]): boolean =>
  words.every((word, index) => args[index] === word);

const usageOf = ({ name, usage }: Command): string => `Usage: ${NAME} ${name} ${usage}`;

const helpOf = (command: Command): string =>
  [`${command.summary}.`, usageOf(command), ...(command.details ? [command.details] : [])].join('\n\n');

/** The commands that begin with these words; all if none does. */
function overview(words: readonly string[]): string {
  const meant = commands.filter(({ name }) => isPrefix(words, name.split(' ')));
  return [
    'Manages a Platen installation. Reads the same environment variables as the server, which may be running.',
    '',
    ...(meant.length > 0 ? meant : commands).map(
      ({ name, usage, summary }) => `  ${NAME} ${name} ${usage}\n      ${summary}`,
    ),
    '',
    `${NAME} <command> --help explains a command.`,
  ].join('\n');
}
