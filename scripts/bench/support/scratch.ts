import { type ChildProcess, type ForkOptions, fork, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Temporary folders and child processes, which are removed at the end of the benchmark, however it ends. */
export interface Scratch {
  /** Creates an empty folder. */
  folder(name: string): string;
  /** Starts a script of `dist` with exactly this environment and these Node options. Its error output is shown. */
  start(script: string, env: Readonly<Record<string, string>>, nodeOptions?: readonly string[]): ChildProcess;
  /** Starts any other program. Its error output is shown. */
  startProgram(
    program: string,
    args: readonly string[],
    cwd: string,
    env: Readonly<Record<string, string>>,
  ): ChildProcess;
}

export async function withScratch(work: (scratch: Scratch) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'platen-bench-'));
  const children = new Set<ChildProcess>();
  const clear = () => {
    for (const child of children) child.kill('SIGKILL');
    // Retries, because a process that is being killed may still write a file.
    rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  };
  const leave = (signal: 'SIGINT' | 'SIGTERM') => process.exit(128 + constants.signals[signal]);
  process.on('exit', clear).on('SIGINT', leave).on('SIGTERM', leave);
  try {
    await work({
      folder(name) {
        const folder = join(root, name);
        mkdirSync(folder);
        return folder;
      },
      start(script, env, nodeOptions = []) {
        const execArgv = [...nodeOptions];
        const options: ForkOptions = { env, execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] };
        const child = fork(createRequire(import.meta.url).resolve(`#dist/${script}`), options);
        children.add(child);
        return child.once('exit', () => children.delete(child));
      },
      startProgram(program, args, cwd, env) {
        const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
        children.add(child);
        return child.once('exit', () => children.delete(child));
      },
    });
  } finally {
    process.off('exit', clear).off('SIGINT', leave).off('SIGTERM', leave);
    clear();
  }
}
