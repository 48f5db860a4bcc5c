import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Workshop } from '../support/press.ts';

const program = fileURLToPath(new URL('dying-builder.mjs', import.meta.url));

export type Fate = 'killed' | 'stopped' | 'stopped-last';

/**
 * A builder in a process of its own, to which something happens: it is stopped before its nth operation on the edge, or
 * killed at the nth moment before or after one at which it leaves something else behind than at the moment before.
 */
export interface DyingBuilder {
  readonly process: ChildProcess;
  /** Resolves to whether it has been stopped; it has ended otherwise. */
  readonly stopped: Promise<boolean>;
  /** Resolves to whether it was killed. Rejects where it failed. */
  readonly killed: Promise<boolean>;
  /** How many operations there were, where it should have been killed and came to its end. */
  readonly operations: () => number;
}

/** Starts one on a workshop. `env` is what the workshop's own environment has beside the test's. */
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
