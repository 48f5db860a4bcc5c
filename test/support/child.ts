import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));

/** A Platen in a process of its own, as an operator starts it. */
export interface Child {
  readonly process: ChildProcess;
  /** What it has printed so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when it has printed all that it prints at its start, or has ended. */
  readonly started: Promise<void>;
  /** Resolves to its exit code; null where a signal ended it. */
  readonly exited: Promise<number | null>;
}

/**
 * Starts `node dist/server/main.js` in a folder, with these variables (a `PORT` among them) and no other; where it is to
 * have a terminal, in the one that `script` of util-linux makes, and all that it prints is its standard output.
 */
export function startChild(
  cwd: string,
  env: Readonly<Record<string, string>>,
  { terminal = false } = {},
): Child {
  const node = [process.execPath, main] as const;
  const [command, args] = terminal
    ? ['script', ['--quiet', '--return', '--command', `exec '${node.join("' '")}'`, '/dev/null']]
    : [node[0], [node[1]]];
  const child = spawn(command, args, { cwd, env: { PATH: process.env.PATH, ...env } });
  let [stdout, stderr] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  const exited = once(child, 'close').then(([code]): number | null => code);
  const greets = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk;
      if (/^ {2}(?:Starter blog|Blogs) /m.test(stdout)) resolve();
    });
  });
  // It greets and sets itself up to be stopped in one go, and answers only then.
  const greeted = greets.then(() => fetch(`http://localhost:${env.PORT}/healthz`));
  return {
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    started: Promise.race([greeted, exited]).then(() => {}),
    exited,
  };
}
