import { createRequire } from 'node:module';
import { z } from 'zod';
import type { CleanImage } from './clean-image.ts';
import { CLEAN_MAX_BYTES, TIME_MAX_MS } from './limits.ts';
import { runProgram, splitOutput } from './program.ts';
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

const processFile = createRequire(import.meta.url).resolve('#dist/server/image-processing/process.js');

/** The line with which a process answers. */
const Reply = z.union([
  z.object({ width: z.int().positive(), height: z.int().positive() }),
  z.object({ refused: z.string() }),
]);

export function createImageCleaner(options: ImageCleanerOptions): ImageCleaner {
  const { processes, timeoutMs = TIME_MAX_MS, program = processFile } = options;
  const turns = createTurns(processes);
  const limits = { timeoutMs, maxBytes: CLEAN_MAX_BYTES };
  return {
    clean: (accountId, bytes) =>
      turns.take(accountId, async () => {
        const output = await runProgram(program, bytes, limits).catch((error: Error) => {
          throw refusalOf(error) ?? error;
        });
        return readReply(output);
      }),
  };
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
  const { head, rest } = splitOutput(output);
  const parsed = Reply.parse(head);
  if ('refused' in parsed) throw new ImageRefused(parsed.refused);
  return { ...parsed, bytes: rest };
}
