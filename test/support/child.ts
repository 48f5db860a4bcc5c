import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));

/** A Platen in a process of its own, as an operator starts it. */
export interface Child {
  readonly process: ChildProcess;
  /** Its output so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when it has printed its whole greeting, or has ended. */
  readonly started: Promise<void>;
  /** Resolves to its exit code; null if a signal ended it. */
  readonly exited: Promise<number | null>;
}

/**
 * Starts `node dist/server/main.js` in a folder with only these variables, `PORT` included. With a terminal, it runs
 * in the one that `script` of util-linux creates, and all of its output is standard output.
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
  // The server installs its signal handlers in the same tick as the greeting, and responds only after that.
  const greeted = greets.then(() => fetch(`http://localhost:${env.PORT}/healthz`).catch(() => exited));
  return {
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    started: Promise.race([greeted, exited]).then(() => {}),
    exited,
  };
}
