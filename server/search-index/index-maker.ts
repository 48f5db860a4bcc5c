import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { memoised } from '../../generator/workers/memoised.ts';
import { WorkerDied } from '../../generator/workers/worker-died.ts';
import { IndexResult } from './index-messages.ts';

/** Builds the blogs' search indexes, each in a process of its own with the lowest priority. */
export interface IndexMaker {
  /**
   * Builds a blog's search index in a folder and passes it to `use`; removes the folder when `use` has ended. Rejects
   * with `WorkerDied` if the process exceeds its time or memory limit.
   */
  make(blogId: string, use: (index: IndexResult, folder: string) => Promise<void>): Promise<void>;
  /** Kills running processes; their `make` calls reject. */
  stop(): void;
}

export interface IndexMakerOptions {
  readonly databaseFile: string;
  /** Folder for unfinished indexes. Emptied at the first call of `make`. */
  readonly folder: string;
}

/** Limits of the process that builds one index. */
const MAX_TIME_MS = 60 * 60_000;
const MAX_HEAP_MIB = 512;

const processFile = createRequire(import.meta.url).resolve('#dist/server/search-index/index-process.js');

export function createIndexMaker({ databaseFile, folder: root }: IndexMakerOptions): IndexMaker {
  const running = new Set<ChildProcess>();
  const sweep = memoised(() => rm(root, { recursive: true, force: true }));

  async function run(blogId: string, folder: string): Promise<IndexResult> {
    const child = spawn(process.execPath, [`--max-old-space-size=${MAX_HEAP_MIB}`, processFile], {
      env: {},
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: MAX_TIME_MS,
      killSignal: 'SIGKILL',
    });
    running.add(child);
    const ended = new Promise<string>((resolve, reject) => {
      child.once('error', reject).once('close', (code, signal) => resolve(signal ?? `code ${code}`));
    });
    child.stdin.on('error', () => {}).write(`${JSON.stringify({ databaseFile, blogId, folder })}\n`);
    const [exitReason, output, errorOutput] = await Promise.all([
      ended,
      text(child.stdout),
      text(child.stderr),
    ]).finally(() => running.delete(child));
    if (exitReason !== 'code 0')
      throw new WorkerDied(`the process ended with ${exitReason}: ${errorOutput.trim()}`);
    return IndexResult.parse(JSON.parse(output));
  }

  return {
    async make(blogId, use) {
      await sweep();
      await mkdir(root, { recursive: true });
      const folder = await mkdtemp(join(root, 'base-'));
      try {
        await use(await run(blogId, folder), folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    stop() {
      for (const child of running) child.kill('SIGKILL');
    },
  };
}
