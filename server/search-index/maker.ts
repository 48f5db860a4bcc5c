import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { memoised } from '../../generator/workers/memoised.ts';
import { WorkerDied } from '../../generator/workers/worker-died.ts';
import { Reply } from './order.ts';

/** Makes the bases of readers' search, each in a process of its own, at the lowest priority. */
export interface BaseMaker {
  /** Makes the base of a blog as it is now in a folder, and gives the folder to `use`, after which it is gone.
   * Rejects with `WorkerDied` where it takes too long or too much memory. */
  make(blogId: string, use: (made: Reply, folder: string) => Promise<void>): Promise<void>;
  /** Ends what is under way: it rejects. */
  stop(): void;
}

export interface BaseMakerOptions {
  readonly databaseFile: string;
  /** A folder for what is being made. Swept when the first base is made. */
  readonly folder: string;
}

/** What the making of a base may take. */
const TIME_MAX_MS = 60 * 60_000;
const HEAP_MIB = 512;

const processFile = createRequire(import.meta.url).resolve('#dist/server/search-index/process.js');

export function createBaseMaker({ databaseFile, folder: root }: BaseMakerOptions): BaseMaker {
  const running = new Set<ChildProcess>();
  const sweep = memoised(() => rm(root, { recursive: true, force: true }));

  async function run(blogId: string, folder: string): Promise<Reply> {
    const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, processFile], {
      env: {},
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: TIME_MAX_MS,
      killSignal: 'SIGKILL',
    });
    running.add(child);
    const ended = new Promise<string>((resolve, reject) => {
      child.once('error', reject).once('close', (code, signal) => resolve(signal ?? `code ${code}`));
    });
    child.stdin.on('error', () => {}).write(`${JSON.stringify({ databaseFile, blogId, folder })}\n`);
    const [end, said, complaint] = await Promise.all([ended, text(child.stdout), text(child.stderr)]).finally(
      () => running.delete(child),
    );
    if (end !== 'code 0') throw new WorkerDied(`the process ended with ${end}: ${complaint.trim()}`);
    return Reply.parse(JSON.parse(said));
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
