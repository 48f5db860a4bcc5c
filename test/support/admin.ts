import { expect } from 'vitest';
import { runAdmin } from '../../server/admin/run.ts';
import { createServices, type Services } from '../../server/compose.ts';
import { readConfig } from '../../server/config/config.ts';
import { silentProgress } from '../../server/upkeep/progress.ts';
import type { TestPlaten } from './platen.ts';

/** Exit code and output of a command. */
export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs `platen-admin` in this process, on services of its own beside a running server, with the server's variables.
 * Resolves to its exit code and output.
 */
export const adminOn =
  ({ dataDir, origin }: Pick<TestPlaten, 'dataDir' | 'origin'>) =>
  (...args: string[]): Promise<Outcome> => {
    const env = { PORT: new URL(origin).port, PLATEN_DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
    return said(args, () => createServices(readConfig(env)));
  };

/** Runs `platen-admin` on services that `open` opens. */
export async function said(args: readonly string[], open: () => Promise<Services>): Promise<Outcome> {
  let [out, err] = ['', ''];
  const code = await runAdmin(args, {
    open,
    readEdgeConfig: () => expect.fail('there is nothing to read'),
    stopSignal: () => expect.fail('nothing goes on'),
    progress: silentProgress,
    print: (text) => {
      out += `${text}\n`;
    },
    printError: (text) => {
      err += `${text}\n`;
    },
  });
  return { code, out, err };
}
