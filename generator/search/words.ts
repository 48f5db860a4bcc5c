/**
 * Text as search sees it. Words are folded: case, accents, vowel points and compatibility forms do not count.
 * Scripts that are written without spaces (and Hangul, which joins particles to words) are indexed in overlapping
 * pairs of characters, and a word of theirs is searched as the pairs that it is made of: whatever stands in a text is
 * found, however a dictionary would have cut it. A dictionary cuts the query alone, so that the words of a query need
 * not stand side by side.
 */

/** Words that must follow each other in one field. */
export interface SearchTerm {
  readonly words: readonly string[];
  /** Whether the last of the words may be just the beginning of one. */
  readonly prefix: boolean;
}

/** Names such as c++ and c# end in signs, without which they would say nothing. */
export const WORD = /[a-z](?:\+\+|#)(?![\p{L}\p{N}+#])|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/giu;

/** Scripts that are written without spaces. */
const SCRIPTS = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}`;
const UNSPACED = new RegExp(`[${SCRIPTS}]+`, 'gu');
const PAIR = new RegExp(`^[${SCRIPTS}]{2}$`, 'u');
const PAIRED = new RegExp(String.raw`([${SCRIPTS}\p{scx=Hangul}]+)`, 'u');

/** Stands where spaces were put that no text had. */
const JOINER = '\u2060';

/**
 * Accents, Hebrew points, Arabic vowel signs and what makes emoji of digits, but not the marks that make other
 * syllables of kana; and soft hyphens, tatweel and joiners.
 */
const IGNORED =
  /(?=[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}])(?!\p{scx=Hiragana})\p{M}|\u00ad|\u0640|\u200d/gu;

const dictionary = new Intl.Segmenter('und', { granularity: 'word' });

/** The words under which a text is found, in its order. */
export const indexedWords = (text: string): string[] =>
  tokensOf(text).flatMap(({ text, paired }) =>
    paired ? [...pairsOf(text), ...[...text].slice(-1)] : text,
  );

/** What a query asks for: every one of these terms. None where it has no letter and no digit. */
export function searchedTerms(query: string): SearchTerm[] {
  const stretches = tokensOf(query);
  const terms = stretches.flatMap(({ text, paired }, index): SearchTerm[] =>
    paired ? segmentQuery(text).map(pairedTerm) : [{ words: [text], prefix: index === stretches.length - 1 }],
  );
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()];
}

/**
 * A text for what knows words by the spaces between them alone: a stretch of a script without spaces becomes its
 * overlapping pairs of characters, and its last character (東京都: 東京 京都 都).
 */
export const spaced = (text: string): string =>
  text.replace(UNSPACED, (stretch, at: number) => {
    const pairs = [...pairsOf(stretch), ...[...stretch].slice(-1)].join(' ');
    const gapAt = (place: number) => (/^\S$/.test(text.charAt(place)) ? ` ${JOINER} ` : '');
    return gapAt(at - 1) + pairs + gapAt(at + stretch.length);
  });

/** The text out of its spaced form, but for white space, which may have become single spaces. */
export function unspaced(text: string): string {
  const tokens = text.split(' ');
  return tokens
    .map((token, index) => {
      if (token === JOINER) return '';
      // A pair goes on in the next token.
      if (PAIR.test(token)) return [...token][0] ?? '';
      return index === tokens.length - 1 || tokens[index + 1] === JOINER ? token : `${token} `;
    })
    .join('');
}

/** What to ask for in spaced texts and the `spellings` of theirs: 東京 is found in what goes on after it, too. */
export const spacedQuery = (query: string): string =>
  tokensOf(query)
    .flatMap(({ text }) => {
      const pairs = pairsOf(text);
      return pairs[0] !== undefined && PAIR.test(pairs[0]) ? pairs : spellSigns(text);
    })
    .join(' ');

/** The words of a text that are searched under another spelling than any that folds accents and case would find. */
export function spellings(text: string): string[] {
  const words = new Set(text.match(WORD) ?? []);
  return [...words].flatMap((word) => {
    const own = spellSigns(folded(word));
    return own === word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '') ? [] : own;
  });
}

/** Names such as c++ and c# in letters, for what takes signs for the ends of words. */
const spellSigns = (word: string): string => word.replace('++', 'plusplus').replace('#', 'sharp');

interface Token {
  readonly text: string;
  /** Whether it is of a script that is indexed in pairs. */
  readonly paired: boolean;
}

/** Words, and within a word the parts in different kinds of script: `iPhoneを買う` is two. */
const tokensOf = (text: string): Token[] =>
  (folded(text).match(WORD) ?? []).flatMap((word) =>
    word.split(PAIRED).flatMap((part, index) => (part === '' ? [] : { text: part, paired: index % 2 === 1 })),
  );

/** As it is compared: case, accents, vowel points and compatibility forms do not count. */
export function folded(text: string): string {
  // Signs go first: compatibility would make letters of some, and `Platen™` would be `platentm`.
  const letters = text
    .replace(/\p{So}+/gu, ' ')
    .normalize('NFKD')
    .replace(IGNORED, '');
  return letters.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** The dictionary takes words that it does not know (博客, blog) for so many of one character: those stay together. */
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

/** A single character is the beginning of a pair, or stands at the end of its stretch. */
const pairedTerm = (word: string): SearchTerm => {
  const pairs = pairsOf(word);
  return pairs.length === 0 ? { words: [word], prefix: true } : { words: pairs, prefix: false };
};

function pairsOf(stretch: string): string[] {
  const characters = [...stretch];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
