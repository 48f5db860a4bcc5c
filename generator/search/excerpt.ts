import { folded, PAIRED, searchedTerms, WORD } from './words.ts';

/** A piece of text, and whether it matches the query. */
export interface Piece {
  readonly text: string;
  readonly found: boolean;
}

/** Approximate length of an excerpt in characters. */
const LENGTH = 180;
/** Characters before the first match. */
const BEFORE = 50;
/** Characters by which an excerpt may be shortened at each end, so that no word is cut. */
const SLACK = 20;

interface Match {
  readonly from: number;
  readonly to: number;
  /** Index of the matching word in the query. */
  readonly word: number;
}

/** Splits a text into matches of the query and the text between them. */
export const highlightMatches = (text: string, query: string): Piece[] =>
  pieces(text, 0, text.length, findMatches(text, query));

/** The part of a text with the most different words of the query, in pieces; without matches, its beginning. */
export function excerpt(text: string, query: string): Piece[] {
  const found = findMatches(text, query);
  const from = startOf(text, found);
  const to = from + LENGTH >= text.length ? text.length : nearestWordEnd(text, from + LENGTH, -1);
  const shown = pieces(text, from, to, found);
  return [
    ...(from > 0 ? [{ text: '… ', found: false }] : []),
    ...shown,
    ...(to < text.length ? [{ text: ' …', found: false }] : []),
  ];
}

/** Whether each word of a query is in at least one of the texts, in any form. */
export function findsAll(texts: readonly string[], query: string): boolean {
  const words = new Set(texts.flatMap((text) => findMatches(text, query, mayBeForm).map(({ word }) => word)));
  return words.size === searchedTerms(query).length;
}

/** Start of the excerpt that has the most different words of the query. */
function startOf(text: string, found: readonly Match[]): number {
  let best = 0;
  let most = 0;
  for (const [index, { from }] of found.entries()) {
    const near = found.slice(index).filter((other) => other.to <= from + LENGTH - BEFORE);
    const words = new Set(near.map(({ word }) => word)).size;
    if (words > most) [best, most] = [from, words];
  }
  return best <= BEFORE ? 0 : nearestWordEnd(text, best - BEFORE, 1);
}

/**
 * The nearest space in the given direction, or else, as in an address, the nearest sign between words; `at` itself if
 * there is neither within `SLACK`, as in Chinese text.
 */
function nearestWordEnd(text: string, at: number, direction: 1 | -1): number {
  for (const end of [/\s/, /[^\p{L}\p{M}\p{N}\ud800-\udfff]/u]) {
    for (let step = 0; step <= SLACK; step++) {
      const place = at + step * direction;
      if (end.test(text.charAt(place))) return direction === 1 ? place + 1 : place;
    }
  }
  // Never splits a surrogate pair.
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at + 1 : at;
}

function pieces(text: string, from: number, to: number, found: readonly Match[]): Piece[] {
  const all: Piece[] = [];
  let at = from;
  for (const stretch of found) {
    if (stretch.from < at || stretch.to > to) continue;
    if (stretch.from > at) all.push({ text: text.slice(at, stretch.from), found: false });
    all.push({ text: text.slice(stretch.from, stretch.to), found: true });
    at = stretch.to;
  }
  if (at < to) all.push({ text: text.slice(at, to), found: false });
  return all;
}

/** The positions in a text at which words of a query match, in text order. */
function findMatches(text: string, query: string, isSame = isForm): Match[] {
  const terms = searchedTerms(query).map(({ words }) => joinPairs(words));
  if (terms.length === 0) return [];
  const found: Match[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (PAIRED.test(word)) found.push(...matchesWithin(word, index, terms));
    else {
      const which = terms.findIndex((term) => isSame(folded(word), term));
      if (which >= 0) found.push({ from: index, to: index + word.length, word: which });
    }
  }
  return found;
}

/** In a script without spaces, the query's words match anywhere within a word of the text. */
function matchesWithin(stretch: string, at: number, terms: readonly string[]): Match[] {
  // Offsets are valid only if folding keeps the length; otherwise the text is compared unfolded.
  const text = folded(stretch).length === stretch.length ? folded(stretch) : stretch;
  return terms
    .flatMap((term, word) => {
      const places: Match[] = [];
      for (let from = text.indexOf(term); from >= 0; from = text.indexOf(term, from + term.length)) {
        places.push({ from: at + from, to: at + from + term.length, word });
      }
      return places;
    })
    .sort((one, other) => one.from - other.from || other.to - one.to);
}

/** Whether a word begins with the term, or is clearly another form of it (publishing, published). */
function isForm(word: string, term: string): boolean {
  const same = commonPrefixLength(word, term);
  return same === term.length || (same >= 4 && same >= 0.6 * Math.max(word.length, term.length));
}

/** Whether a stemmer may treat both as forms of one word (running, runs). */
function mayBeForm(word: string, term: string): boolean {
  const same = commonPrefixLength(word, term);
  return same === term.length || (same >= 3 && word.length - same <= 4 && term.length - same <= 4);
}

function commonPrefixLength(one: string, other: string): number {
  let same = 0;
  while (same < Math.min(one.length, other.length) && one[same] === other[same]) same += 1;
  return same;
}

/** Joins overlapping character pairs (東京, 京都) to the word they were made from. */
const joinPairs = ([first = '', ...rest]: readonly string[]): string =>
  first + rest.map((pair) => [...pair].slice(1).join('')).join('');
