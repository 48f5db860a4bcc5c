/**
 * The process in which one image is cleaned: the image on standard input, on standard output a line of JSON (`Reply`
 * in image-cleaner.ts) and the clean bytes behind it.
 */
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { imageTypeOf } from '../domain/image.ts';
import { cleanImage } from './clean-image.ts';
import { ImageRefused } from './refused.ts';

yieldToServer();
const image = await buffer(process.stdin);
try {
  const type = imageTypeOf(image);
  if (!type) throw new ImageRefused('is of no known type');
  const { bytes, width, height } = await cleanImage(image, type);
  reply({ width, height }, bytes);
} catch (error) {
  if (!(error instanceof ImageRefused)) throw error;
  reply({ refused: error.message });
}

/** Takes the processor only where nobody else wants it, and is the first to go where memory runs out. */
function yieldToServer(): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000');
}

function reply(head: object, bytes: Uint8Array = new Uint8Array()): void {
  process.stdout.write(`${JSON.stringify(head)}\n`);
  process.stdout.write(bytes);
}
