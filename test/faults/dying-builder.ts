import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Workshop } from '../support/press.ts';

const program = fileURLToPath(new URL('dying-builder.mjs', import.meta.url));

export type Moment = 'before' | 'after' | 'stopped' | 'stopped-last';

/** A builder in a process of its own, to which something happens at its nth operation on the edge. */
export interface DyingBuilder {
  readonly process: ChildProcess;
  /** Resolves to whether it has been stopped; it has ended otherwise. */
  readonly stopped: Promise<boolean>;
  /** Resolves to whether it was killed. Rejects where it failed. */
  readonly killed: Promise<boolean>;
}

/** Starts one on a workshop. `env` is what the workshop's own environment has beside the test's. */
export function startDyingBuilder(
  { config }: Workshop,
  operation: number,
  moment: Moment,
  env: Readonly<Record<string, string>> = {},
): DyingBuilder {
  const child = spawn(process.execPath, [program, String(operation), moment], {
    env: { ...process.env, ...env, PLATEN_DATA_DIR: config.dataDir, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  return {
    process: child,
    stopped: Promise.race([once(child.stdout, 'data').then(() => true), exited.then(() => false)]),
    killed: exited.then(([code, signal]) => {
      if (signal === 'SIGKILL') return true;
      if (code === 0) return false;
      throw new Error(`the builder ended with ${code ?? signal}`);
    }),
  };
}
