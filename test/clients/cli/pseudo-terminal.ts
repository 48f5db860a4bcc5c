import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';

/** A program in a terminal of its own. */
export interface InTerminal {
  /** What the terminal has shown so far, without its control sequences. */
  readonly shown: () => string;
  /** The same with its control sequences. */
  readonly raw: () => string;
  /** Types keys once the terminal shows a text. `\u0003` is Ctrl-C. */
  type(after: string, keys: string): Promise<void>;
  /** Resolves to the exit code. */
  readonly ended: Promise<number | null>;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by them
const CONTROL = /\u001b(?:\[[\d;?]*[A-Za-z]|[78])/g;

/** Starts a program in the terminal that `script` of util-linux creates, with only these variables. */
export function startInTerminal(
  command: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): InTerminal {
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const line = `stty cols 100 rows 40; exec ${quoted}`;
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    cwd,
    env: { PATH: process.env.PATH, TERM: 'xterm', ...env },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const shown = () => output.replace(CONTROL, '').replaceAll('\r\n', '\n');
  return {
    shown,
    raw: () => output,
    async type(after, keys) {
      await expect.poll(shown, { interval: 20 }).toContain(after);
      child.stdin.write(keys);
    },
    ended: once(child, 'close').then(([code]): number | null => code),
  };
}
