import { createRequire } from 'node:module';
import { z } from 'zod';
import { variantFormats } from './image-variant.ts';
import { VARIANTS_MAX_BYTES, VARIANTS_TIMEOUT_MS } from './limits.ts';
import type { Variant } from './make-variants.ts';
import { parseOutput, runNodeScript } from './node-script.ts';

/** Makes the variants of each image in a separate process at the lowest CPU priority. */
export interface VariantMaker {
  /** Rejects if the process exceeds a limit or fails, or if the signal aborts. */
  make(image: Uint8Array, signal: AbortSignal): Promise<Variant[]>;
}

export interface VariantMakerOptions {
  /** Time limit for one image in milliseconds. */
  readonly timeoutMs?: number;
  /** Script of the process (default: variants-process.ts). */
  readonly program?: string;
}

const processFile = createRequire(import.meta.url).resolve(
  '#dist/server/image-processing/variants-process.js',
);

/** First output line of a process; `bytes` is the length of each file. */
const OutputHeader = z.array(
  z.object({ format: z.enum(variantFormats), width: z.int().positive(), bytes: z.int().positive() }),
);

export function createVariantMaker(options: VariantMakerOptions = {}): VariantMaker {
  const { timeoutMs = VARIANTS_TIMEOUT_MS, program = processFile } = options;
  return {
    async make(image, signal) {
      const output = await runNodeScript(program, image, { timeoutMs, maxBytes: VARIANTS_MAX_BYTES, signal });
      const { header, payload } = parseOutput(output);
      let offset = 0;
      const variants = OutputHeader.parse(header).map(({ format, width, bytes }) => {
        offset += bytes;
        return { format, width, bytes: payload.subarray(offset - bytes, offset) };
      });
      if (offset !== payload.length)
        throw new Error(`the process sent ${payload.length} bytes of variants but announced ${offset}`);
      return variants;
    },
  };
}
