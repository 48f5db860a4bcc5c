import { tags, words } from './words.ts';

/** A post as the API takes it, apart from what only a caller knows. */
export interface BenchPost {
  readonly title: string;
  /** Markdown of about 800 words. */
  readonly content: string;
  readonly tags: readonly string[];
}

const SECTIONS = 4;
const TAGS_PER_POST = 3;

/** The post of this number: the same text in every run, and another one for every number. */
export function benchPost(number: number): BenchPost {
  const random = createRandom(number);
  const say = (count: number) => sentences(random, count);
  const sections = Array.from({ length: SECTIONS }, () => section(random));
  return {
    title: `${capital(someWords(random, 5))} ${number}`,
    content: [say(60), ...sections, `> ${say(20)}`, say(40)].join('\n\n'),
    tags: Array.from({ length: TAGS_PER_POST }, (_, i) => pick(tags, number * TAGS_PER_POST + i)),
  };
}

/** 170 words: two paragraphs, a list, and a line of code with its fence. */
function section(random: () => number): string {
  const say = (count: number) => sentences(random, count);
  const items = Array.from({ length: 4 }, () => `- **${someWords(random, 2)}**: ${someWords(random, 8)}`);
  return [
    `## ${capital(someWords(random, 4))}`,
    `${say(55)} See [${someWords(random, 3)}](https://example.org/${someWords(random, 1)}).`,
    items.join('\n'),
    `\`\`\`ts\nconst ${someWords(random, 1)} = await read('${someWords(random, 1)}');\n\`\`\``,
    `${say(60)} Then \`${someWords(random, 1)}\` is *${someWords(random, 2)}*.`,
  ].join('\n\n');
}

function sentences(random: () => number, count: number): string {
  const length = 12;
  const all: string[] = [];
  for (let left = count; left > 0; left -= length) {
    all.push(`${capital(someWords(random, Math.min(length, left)))}.`);
  }
  return all.join(' ');
}

const someWords = (random: () => number, count: number): string =>
  Array.from({ length: count }, () => pick(words, Math.floor(random() * words.length))).join(' ');

const pick = (from: readonly string[], index: number): string => from[index % from.length] ?? '';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Numbers from 0 to below 1 that a seed decides (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
