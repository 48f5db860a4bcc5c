import { editsBetween } from '../nearest-name.ts';
import type { SearchedPost } from './recent-index.ts';
import { folded, PAIRED, WORD } from './words.ts';

/** Words of a file at most: about 35 KB compressed, which only a search that finds nothing loads. */
export const MAX_WORDS = 10_000;
/** Words in memory at most while posts are read. */
const MAX_COUNTED = 100_000;
/** A word of a title or a tag counts as much as one in the texts of so many posts. */
const WEIGHT = 10;

const MIN_LENGTH = 4;
const MAX_LENGTH = 40;

/** Collects the words of a blog, from which a search takes the one that a reader probably meant. */
export interface Vocabulary {
  add(post: SearchedPost): void;
  /** Words in lower case, the most frequent first. None is from a script without spaces. */
  words(): string[];
}

export function createVocabulary(): Vocabulary {
  let counts = new Map<string, number>();
  const count = (text: string, weight: number) => {
    for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
  };
  return {
    add({ title, description, tags, text }) {
      count([title, ...tags].join(' '), WEIGHT);
      count(`${description} ${text}`, 1);
      if (counts.size > 2 * MAX_COUNTED) counts = new Map(mostFrequent(counts, MAX_COUNTED));
    },
    words: () => mostFrequent(counts, MAX_WORDS).map(([word]) => word),
  };
}

const mostFrequent = (counts: ReadonlyMap<string, number>, limit: number): [string, number][] =>
  [...counts].sort((a, b) => b[1] - a[1] || Number(a[0] > b[0]) - Number(a[0] < b[0])).slice(0, limit);

function wordsOf(text: string): Set<string> {
  const words = text.normalize('NFC').match(WORD) ?? [];
  return new Set(words.filter(isUseful).map((word) => word.toLowerCase()));
}

const isUseful = (word: string): boolean =>
  word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && !PAIRED.test(word) && !/\p{N}/u.test(word);

/** A query in which `correctedQuery` may replace a word needs at least one of this length. */
const MIN_CORRECTED = 5;
/** Words of at least this length may have two typing errors. */
const TWO_EDITS_FROM = 9;

/**
 * A query that found nothing, with each mistyped word replaced by the nearest of the known words, the first of several.
 * Null if there is nothing to replace.
 */
export function correctedQuery(query: string, known: readonly string[]): string | null {
  const byFolded = new Map<string, string>();
  for (const word of known) if (!byFolded.has(folded(word))) byFolded.set(folded(word), word);
  const corrected = query.replace(WORD, (word, at: number) => {
    const mayBePrefix = at + word.length === query.trimEnd().length;
    return nearestWord(folded(word), byFolded, mayBePrefix) ?? word;
  });
  return corrected === query ? null : corrected;
}

/** Null if a word is known, too short, or like no other. */
function nearestWord(word: string, known: ReadonlyMap<string, string>, mayBePrefix: boolean): string | null {
  if (word.length < MIN_CORRECTED || word.length > MAX_LENGTH || PAIRED.test(word) || known.has(word))
    return null;
  const allowed = word.length < TWO_EDITS_FROM ? 1 : 2;
  let nearest: string | null = null;
  let fewest = allowed + 1;
  for (const [other, written] of known) {
    if (mayBePrefix && other.startsWith(word)) return null;
    if (fewest === 1 || Math.abs(other.length - word.length) >= fewest) continue;
    const edits = editsBetween(word, other);
    if (edits < fewest) [nearest, fewest] = [written, edits];
  }
  return nearest;
}
