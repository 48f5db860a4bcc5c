import { createRequire } from 'node:module';
import { z } from 'zod';
import { iconWidths } from '../../../generator/icon-files.ts';
import { ICONS_TIMEOUT_MS, VARIANTS_MAX_BYTES } from '../limits.ts';
import { parseOutput, runNodeScript } from '../node-script.ts';
import type { IconFiles } from './make-icons.ts';

/** Makes the files of each icon in a separate process at the lowest CPU priority. */
export interface IconMaker {
  /** Rejects if the process exceeds a limit or fails, or if the signal aborts. */
  make(image: Uint8Array, signal: AbortSignal): Promise<IconFiles>;
}

const program = createRequire(import.meta.url).resolve('#dist/server/image-processing/icons/process.js');

/** First output line of a process, with the length of each file. */
const OutputHeader = z.object({
  favicon: z.int().positive(),
  squares: z.array(z.object({ width: z.literal(iconWidths), bytes: z.int().positive() })),
});

export const createIconMaker = (): IconMaker => ({
  async make(image, signal) {
    const limits = { timeoutMs: ICONS_TIMEOUT_MS, maxBytes: VARIANTS_MAX_BYTES, signal };
    const { header, payload } = parseOutput(await runNodeScript(program, image, limits));
    const { favicon, squares } = OutputHeader.parse(header);
    let offset = favicon;
    const files = squares.map(({ width, bytes }) => {
      offset += bytes;
      return { width, bytes: payload.subarray(offset - bytes, offset) };
    });
    if (offset !== payload.length)
      throw new Error(`the process sent ${payload.length} bytes of icons but announced ${offset}`);
    return { favicon: payload.subarray(0, favicon), squares: files };
  },
});
