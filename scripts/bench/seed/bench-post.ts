import { tags } from './words.ts';
import { capital, createWriter, pick, type Writer } from './writer.ts';

/** The fields of a test post that the API and the other tools have in common. */
export interface BenchPost {
  readonly title: string;
  /** Markdown of about 800 words. */
  readonly content: string;
  readonly tags: readonly string[];
}

const SECTIONS = 4;
const TAGS_PER_POST = 3;
/** Chapters of a long post, of 1,200 words each. */
const CHAPTERS = 116;

/** The post with this number: the same text in every run, a different one for each number. */
export const benchPost = (number: number): BenchPost => ({
  ...benchMetadata(number),
  content: benchContent(number),
});

/** A post without its content. */
export const benchMetadata = (number: number): Omit<BenchPost, 'content'> => ({
  title: `${capital(createWriter(-number).someWords(5))} ${number}`,
  tags: Array.from({ length: TAGS_PER_POST }, (_, i) => pick(tags, number * TAGS_PER_POST + i)),
});

/** The content of a long post: a megabyte of prose. */
export function longContent(number: number): string {
  const { sentences, someWords } = createWriter(number);
  const chapters = Array.from({ length: CHAPTERS }, () =>
    [`## ${capital(someWords(4))}`, ...Array.from({ length: 10 }, () => sentences(120))].join('\n\n'),
  );
  return chapters.join('\n\n');
}

export function benchContent(number: number): string {
  const writer = createWriter(number);
  const sections = Array.from({ length: SECTIONS }, () => section(writer));
  return [writer.sentences(60), ...sections, `> ${writer.sentences(20)}`, writer.sentences(40)].join('\n\n');
}

/** A section of 170 words: two paragraphs, a list and a fenced line of code. */
function section({ sentences, someWords }: Writer): string {
  const items = Array.from({ length: 4 }, () => `- **${someWords(2)}**: ${someWords(8)}`);
  return [
    `## ${capital(someWords(4))}`,
    `${sentences(55)} See [${someWords(3)}](https://example.org/${someWords(1)}).`,
    items.join('\n'),
    `\`\`\`ts\nconst ${someWords(1)} = await read('${someWords(1)}');\n\`\`\``,
    `${sentences(60)} Then \`${someWords(1)}\` is *${someWords(2)}*.`,
  ].join('\n\n');
}
