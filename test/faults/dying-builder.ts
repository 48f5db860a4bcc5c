import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Workshop } from '../support/site-builder.ts';

const program = fileURLToPath(new URL('dying-builder.mjs', import.meta.url));

export type Fate = 'killed' | 'stopped' | 'stopped-last';

/**
 * A builder in a process of its own that is stopped before its nth edge operation, or killed at the nth point before
 * or after an operation. Points that leave the same state on the edge count once.
 */
export interface DyingBuilder {
  readonly process: ChildProcess;
  /** Resolves to true once the builder has stopped, or to false if it ended first. */
  readonly stopped: Promise<boolean>;
  /** Resolves to whether the builder was killed. Rejects if it failed. */
  readonly killed: Promise<boolean>;
  /** Number of edge operations of a builder that came to its end before it could be killed. */
  readonly operations: () => number;
}

/** Starts a dying builder on a workshop. `env` holds the workshop's variables beyond those that every test has. */
export function startDyingBuilder(
  { config, clock }: Workshop,
  nth: number,
  fate: Fate,
  env: Readonly<Record<string, string>> = {},
): DyingBuilder {
  const child = spawn(process.execPath, [program, String(nth), fate], {
    env: {
      ...process.env,
      ...env,
      PLATEN_DATA_DIR: config.dataDir,
      LOG_LEVEL: 'silent',
      NOW: clock.now(),
      NODE_NO_WARNINGS: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'close');
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  return {
    process: child,
    stopped: Promise.race([once(child.stdout, 'data').then(() => true), exited.then(() => false)]),
    killed: exited.then(([code, signal]) => {
      if (signal === 'SIGKILL') return true;
      if (code === 0) return false;
      throw new Error(`the builder ended with ${code ?? signal}`);
    }),
    operations: () => Number(said),
  };
}
