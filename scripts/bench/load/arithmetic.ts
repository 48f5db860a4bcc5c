import { parentPort } from 'node:worker_threads';

/** A thread that needs nothing but a processor. */
const ROUNDS = 100_000_000;

function count(): number {
  let sum = 0;
  for (let round = 0; round < ROUNDS; round += 1) sum = (sum * 31 + round) | 0;
  return sum;
}

parentPort?.postMessage(count());
