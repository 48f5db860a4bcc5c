import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createProfileStore } from '../../../clients/cli/profiles/profile-store.ts';
import { run } from '../../../clients/cli/run.ts';
import type { Prompts } from '../../../clients/cli/terminal/prompts.ts';

export interface CliOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** What is piped in; otherwise standard input is empty. */
  readonly input?: string;
  /** Answers to questions, in order: somebody is at a terminal then. */
  readonly answers?: readonly (string | boolean)[];
  /** Columns of the terminal that the output goes to. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
  readonly cwd?: string;
}

export interface CliOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  readonly json: () => any;
  readonly asked: readonly string[];
}

/** A command line with settings of its own. */
export interface Cli {
  readonly settings: string;
  (words: string, options?: CliOptions): Promise<CliOutcome>;
}

/** Words are separated by spaces; those in double quotes are one. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

/** Runs commands in this process, with these variables. */
export function createCli(environment: Readonly<Record<string, string>> = {}): Cli {
  const settings = mkdtempSync(join(tmpdir(), 'platen-cli-settings-'));
  const cli = async (line: string, options: CliOptions = {}): Promise<CliOutcome> => {
    let [out, err] = ['', ''];
    const asked: string[] = [];
    const code = await run(wordsOf(line), {
      cwd: options.cwd ?? settings,
      environment: { ...environment, ...options.environment },
      signal: options.signal ?? new AbortController().signal,
      profiles: createProfileStore(settings, process.platform),
      terminal: {
        print(text) {
          out += text;
        },
        tell(text) {
          err += text;
        },
        readInput: options.answers ? null : async () => Buffer.from(options.input ?? ''),
        columns: options.columns ?? null,
        colours: false,
        errorStream: new PassThrough(),
        prompts: options.answers ? scripted(options.answers, asked) : null,
      },
    });
    return { code, out, err, asked, json: () => JSON.parse(out) };
  };
  return Object.assign(cli, { settings });
}

function scripted(answers: readonly (string | boolean)[], asked: string[]): Prompts {
  const left = [...answers];
  const answer = (question: string) => {
    asked.push(question);
    const next = left.shift();
    if (next === undefined) throw new Error(`nobody expected the question ${question}`);
    return next;
  };
  return {
    confirm: async (question) => answer(question) === true,
    secret: async (question) => String(answer(question)),
    text: async (question, preset) => String(answer(question)) || preset,
  };
}
