/**
 * Process that cleans one image. Standard input: the image. Standard output: a line of JSON (`Reply` in
 * image-cleaner.ts), then the clean bytes.
 */
import { buffer } from 'node:stream/consumers';
import { lowerProcessPriority } from '../../generator/workers/priority.ts';
import { cleanImage } from './clean-image.ts';
import { detectImageType } from './image.ts';
import { ImageRefused } from './image-refused.ts';
import { writeOutput } from './node-script.ts';

lowerProcessPriority('requests');
const image = await buffer(process.stdin);
try {
  const type = detectImageType(image);
  if (!type) throw new ImageRefused('has no supported type');
  const { bytes, width, height } = await cleanImage(image, type);
  writeOutput({ width, height }, bytes);
} catch (error) {
  if (!(error instanceof ImageRefused)) throw error;
  writeOutput({ refused: error.message });
}
