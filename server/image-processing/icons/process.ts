/**
 * Process that makes the files of one icon. Standard input: the image. Standard output: a line of JSON (`OutputHeader`
 * in icon-maker.ts), then the files: the favicon first.
 */
import { buffer } from 'node:stream/consumers';
import { lowerProcessPriority } from '../../../generator/workers/priority.ts';
import { writeOutput } from '../node-script.ts';
import { makeIcons } from './make-icons.ts';

lowerProcessPriority('builder');
const { favicon, squares } = await makeIcons(await buffer(process.stdin));
const head = {
  favicon: favicon.length,
  squares: squares.map(({ width, bytes }) => ({ width, bytes: bytes.length })),
};
writeOutput(head, favicon, ...squares.map(({ bytes }) => bytes));
