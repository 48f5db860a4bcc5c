import { createRequire } from 'node:module';
import { z } from 'zod';
import type { CleanImage } from './clean-image.ts';
import { ImageRefused } from './image-refused.ts';
import { CLEAN_MAX_BYTES, CLEAN_TIMEOUT_MS } from './limits.ts';
import { parseOutput, runNodeScript } from './node-script.ts';
import { createOwnerQueue } from './owner-queue.ts';

/** Cleans each image in a separate process, so that a hostile image can harm only that process. */
export interface ImageCleaner {
  /**
   * Cleans an image; one at a time for each account. Rejects with `ImageRefused` if the image cannot be decoded
   * within the time and memory limits, or crashes the decoder.
   */
  clean(accountId: string, bytes: Uint8Array): Promise<CleanImage>;
}

export interface ImageCleanerOptions {
  /** Images cleaned in parallel. */
  readonly processes: number;
  /** Time limit for one image in milliseconds, not counting its wait in the queue. */
  readonly timeoutMs?: number;
  /** Script of the process (default: process.ts). */
  readonly program?: string;
}

const processFile = createRequire(import.meta.url).resolve('#dist/server/image-processing/clean-process.js');

/** First output line of a process. */
const OutputHeader = z.union([
  z.object({ width: z.int().positive(), height: z.int().positive() }),
  z.object({ refused: z.string() }),
]);

export function createImageCleaner(options: ImageCleanerOptions): ImageCleaner {
  const { processes, timeoutMs = CLEAN_TIMEOUT_MS, program = processFile } = options;
  const queue = createOwnerQueue(processes);
  const limits = { timeoutMs, maxBytes: CLEAN_MAX_BYTES };
  return {
    clean: (accountId, bytes) =>
      queue.run(accountId, async () => {
        const output = await runNodeScript(program, bytes, limits).catch((error: Error) => {
          throw refusalFor(error) ?? error;
        });
        return cleanImageOf(output);
      }),
  };
}

/** The refusal that a process failure means for its image; null if the failure is ours. */
function refusalFor(
  error: Error & { killed?: boolean; signal?: string | null; code?: unknown },
): Error | null {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return new ImageRefused('is too large when decoded');
  if (error.killed) return new ImageRefused('takes too long to decode');
  // The process crashed, or the system killed it for lack of memory.
  return error.signal ? new ImageRefused('crashes the decoder', { cause: error }) : null;
}

function cleanImageOf(output: Buffer): CleanImage {
  const { header, payload } = parseOutput(output);
  const parsed = OutputHeader.parse(header);
  if ('refused' in parsed) throw new ImageRefused(parsed.refused);
  return { ...parsed, bytes: payload };
}
