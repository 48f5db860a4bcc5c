import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { z } from 'zod';
import type { CleanImage } from './clean-image.ts';
import { CLEAN_MAX_BYTES, TIME_MAX_MS } from './limits.ts';
import { ImageRefused } from './refused.ts';
import { createTurns } from './turns.ts';

/** Cleans images in processes of their own, so that what a hostile one does to a decoder ends with its process. */
export interface ImageCleaner {
  /**
   * Cleans an image for an account: one of them at a time for each account. Rejects with `ImageRefused` on an image
   * that cannot be decoded within the limits of time and memory, or breaks the decoder.
   */
  clean(accountId: string, bytes: Uint8Array): Promise<CleanImage>;
}

export interface ImageCleanerOptions {
  /** Images that are cleaned at once. */
  readonly processes: number;
  /** Milliseconds that one image may take, the wait for its turn not counted. */
  readonly timeoutMs?: number;
  /** The program that cleans (default: process.ts). */
  readonly program?: string;
}

const processFile = createRequire(import.meta.url).resolve('#dist/server/images/process.js');

/** The line with which a process answers. */
const Reply = z.union([
  z.object({ width: z.int().positive(), height: z.int().positive() }),
  z.object({ refused: z.string() }),
]);

export function createImageCleaner(options: ImageCleanerOptions): ImageCleaner {
  const { processes, timeoutMs = TIME_MAX_MS, program = processFile } = options;
  const turns = createTurns(processes);
  return {
    clean: (accountId, bytes) =>
      turns.take(accountId, async () => readReply(await runProgram(program, bytes, timeoutMs))),
  };
}

/** Resolves to what the program writes. Its environment is empty: it has no secret to give away. */
function runProgram(program: string, bytes: Uint8Array, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = {
      env: {},
      encoding: 'buffer',
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: CLEAN_MAX_BYTES,
    } as const;
    const child = execFile(process.execPath, [program], options, (error, stdout) => {
      if (error) reject(refusalOf(error) ?? error);
      else resolve(stdout);
    });
    // A process that dies early does not read to the end; how it ended is told above.
    child.stdin?.on('error', () => {}).end(bytes);
  });
}

/** What the end of a process says about the image. Null where it says that something of ours is at fault. */
function refusalOf(
  error: Error & { killed?: boolean; signal?: string | null; code?: unknown },
): Error | null {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return new ImageRefused('is too large when decoded');
  if (error.killed) return new ImageRefused('takes too long to decode');
  // A crash, or the system's answer to a lack of memory.
  return error.signal ? new ImageRefused('breaks the decoder', { cause: error }) : null;
}

function readReply(output: Buffer): CleanImage {
  const end = output.indexOf('\n');
  const head = Reply.parse(JSON.parse(output.toString('utf8', 0, end)));
  if ('refused' in head) throw new ImageRefused(head.refused);
  return { ...head, bytes: output.subarray(end + 1) };
}
