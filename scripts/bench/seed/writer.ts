import { words } from './words.ts';

/** Writes meaningless text that depends only on the writer's number. */
export interface Writer {
  someWords(count: number): string;
  /** `count` words in sentences of twelve. */
  sentences(count: number): string;
}

const SENTENCE = 12;

export function createWriter(number: number): Writer {
  const random = createRandom(number);
  const someWords = (count: number) =>
    Array.from({ length: count }, () => pick(words, Math.floor(random() * words.length))).join(' ');
  return {
    someWords,
    sentences(count) {
      const all: string[] = [];
      for (let left = count; left > 0; left -= SENTENCE) {
        all.push(`${capital(someWords(Math.min(SENTENCE, left)))}.`);
      }
      return all.join(' ');
    },
  };
}

/** The item at `index`, modulo the length. */
export const pick = (from: readonly string[], index: number): string => from[index % from.length] ?? '';

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Pseudo-random numbers in [0, 1) from a seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
