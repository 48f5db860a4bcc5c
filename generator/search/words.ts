/**
 * Tokenising for search. Words are folded: case, accents, vowel points and compatibility forms do not count. Scripts
 * without spaces (and Hangul, which joins particles to words) are indexed as overlapping pairs of characters, and their
 * words are searched as pairs: every word of a text is found, however a dictionary would segment the text. A dictionary
 * segments only the query, so that its words need not be adjacent in the text.
 */

/** Words that must be adjacent, in this order, in one field. */
export interface SearchTerm {
  readonly words: readonly string[];
  /** Whether the last word may be only a prefix. */
  readonly prefix: boolean;
}

/** A word. Names such as c++ and c# keep their signs. */
export const WORD = /[a-z](?:\+\+|#)(?![\p{L}\p{N}+#])|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/giu;

/** Scripts that are written without spaces. */
const SCRIPTS = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}`;
const UNSPACED = new RegExp(`[${SCRIPTS}]+`, 'gu');
const PAIR = new RegExp(`^[${SCRIPTS}]{2}$`, 'u');
/** Text whose words are indexed as character pairs. */
export const PAIRED = new RegExp(String.raw`([${SCRIPTS}\p{scx=Hangul}]+)`, 'u');

/** Marks spaces that are not in the original text. */
const JOINER = '\u2060';

/**
 * Characters that search ignores: accents, Hebrew points, Arabic vowel signs, the marks of keycap emoji, soft hyphens,
 * tatweel and joiners. Kana voicing marks are kept: they make different syllables.
 */
const IGNORED =
  /(?=[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}])(?!\p{scx=Hiragana})\p{M}|\u00ad|\u0640|\u200d/gu;

const dictionary = new Intl.Segmenter('und', { granularity: 'word' });

/** The words to index for a text, in text order. */
export const indexedWords = (text: string): string[] =>
  tokensOf(text).flatMap(({ text, paired }) => (paired ? [...pairsOf(text), ...[...text].slice(-1)] : text));

/** A query's terms, all of which must match; none if it has neither letters nor digits. */
export function searchedTerms(query: string): SearchTerm[] {
  const stretches = tokensOf(query);
  const terms = stretches.flatMap(({ text, paired }, index): SearchTerm[] =>
    paired ? segmentQuery(text).map(pairedTerm) : [{ words: [text], prefix: index === stretches.length - 1 }],
  );
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()];
}

/**
 * Prepares a text for an index that separates words only at spaces: text in a script without spaces becomes its
 * overlapping character pairs and its last character (東京都: 東京 京都 都).
 */
export const spaced = (text: string): string =>
  text.replace(UNSPACED, (stretch, at: number) => {
    const pairs = [...pairsOf(stretch), ...[...stretch].slice(-1)].join(' ');
    const gapAt = (place: number) => (/^\S$/.test(text.charAt(place)) ? ` ${JOINER} ` : '');
    return gapAt(at - 1) + pairs + gapAt(at + stretch.length);
  });

/** Reverses `spaced`. White space may have become single spaces. */
export function unspaced(text: string): string {
  const tokens = text.split(' ');
  return tokens
    .map((token, index) => {
      if (token === JOINER) return '';
      // The next token repeats a pair's second character.
      if (PAIR.test(token)) return [...token][0] ?? '';
      return index === tokens.length - 1 || tokens[index + 1] === JOINER ? token : `${token} `;
    })
    .join('');
}

/** The query for texts in `spaced` form and their `spellings`. 東京 also matches within longer words. */
export const spacedQuery = (query: string): string =>
  tokensOf(query)
    .flatMap(({ text }) => {
      const pairs = pairsOf(text);
      return pairs[0] !== undefined && PAIR.test(pairs[0]) ? pairs : spellSigns(text);
    })
    .join(' ');

/** The spellings under which `spacedQuery` searches a text's words, if folding case and accents does not give them. */
export function spellings(text: string): string[] {
  const words = new Set(text.match(WORD) ?? []);
  return [...words].flatMap((word) => {
    const own = spellSigns(folded(word));
    return own === word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '') ? [] : own;
  });
}

/** Spells names such as c++ and c# in letters, for an index that ends words at signs. */
const spellSigns = (word: string): string => word.replace('++', 'plusplus').replace('#', 'sharp');

interface Token {
  readonly text: string;
  /** Whether its script is indexed as character pairs. */
  readonly paired: boolean;
}

/** Splits text into words, and words where the kind of script changes: `iPhoneを買う` gives two parts. */
const tokensOf = (text: string): Token[] =>
  (folded(text).match(WORD) ?? []).flatMap((word) =>
    word.split(PAIRED).flatMap((part, index) => (part === '' ? [] : { text: part, paired: index % 2 === 1 })),
  );

/** Folds a text for comparison: removes differences of case, accents, vowel points and compatibility forms. */
export function folded(text: string): string {
  // Symbols are removed first: NFKD turns some into letters, and `Platen™` would become `platentm`.
  const letters = text
    .replace(/\p{So}+/gu, ' ')
    .normalize('NFKD')
    .replace(IGNORED, '');
  return letters.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** Segments a query. The dictionary splits unknown words (博客, blog) into single characters: those are rejoined. */
function segmentQuery(stretch: string): string[] {
  const words: string[] = [];
  let single = false;
  for (const { segment } of dictionary.segment(stretch)) {
    const alone = [...segment].length === 1;
    if (alone && single) words.push(`${words.pop() ?? ''}${segment}`);
    else words.push(segment);
    single = alone;
  }
  return words;
}

/** A single character matches the beginning of a pair, or the last character of a text part. */
const pairedTerm = (word: string): SearchTerm => {
  const pairs = pairsOf(word);
  return pairs.length === 0 ? { words: [word], prefix: true } : { words: pairs, prefix: false };
};

function pairsOf(stretch: string): string[] {
  const characters = [...stretch];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
