/**
 * Process that makes the variants of one image. Standard input: the image. Standard output: a line of JSON
 * (`OutputHeader` in variant-maker.ts), then the files in the same order.
 */
import { buffer } from 'node:stream/consumers';
import { lowerProcessPriority } from '../../generator/workers/priority.ts';
import { makeVariants } from './make-variants.ts';
import { writeOutput } from './node-script.ts';

lowerProcessPriority('builder');
const variants = await makeVariants(await buffer(process.stdin));
writeOutput(
  variants.map(({ format, width, bytes }) => ({ format, width, bytes: bytes.length })),
  ...variants.map(({ bytes }) => bytes),
);
