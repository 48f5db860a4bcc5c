import { LRUCache } from 'lru-cache';
import { directionOf } from '../markdown/text/language.ts';
import { escapeText } from '../markdown/text/plain-text.ts';
import { type Catalogue, catalogueFor, FALLBACK_LANG, readCatalogue, type WordKey } from './catalogues.ts';
import { formatPieces, formatText, type MessageValues, type Numerals, numeralsOf } from './message.ts';

/** The theme's words in the language of a page. A word without a translation is English. */
export interface Words {
  /** Language tag of the page. */
  readonly lang: string;
  /** The language in which a word is written: the page's, or English. */
  langOf(key: WordKey): string;
  /** As plain text. Throws if the message has a placeholder without a value. */
  text(key: WordKey, values?: MessageValues): string;
  /**
   * As HTML. `elements` has the start tag (`<a href="/">`) of each element in the message (`<front>…</front>`). Values
   * are text, and are escaped.
   */
  html(key: WordKey, elements: Readonly<Record<string, string>>, values?: MessageValues): string;
  /** The message with its placeholders, for a script that has the values (message.ts). */
  message(key: WordKey): string;
  /**
   * Attributes for the element that has the word: none, unless the page's language lacks words. If its catalogue has
   * some words and lacks others, every word says its language, because it may stand within another.
   */
  mark(key: WordKey): { readonly lang?: string; readonly dir?: 'ltr' | 'rtl' };
}

/** Language tags are chosen by blogs' owners. */
const cachedWords = new LRUCache<string, Words>({ max: 200 });

/** The words for a page in a language (BCP 47). */
export function wordsFor(lang: string): Words {
  const known = cachedWords.get(lang);
  if (known !== undefined) return known;
  const words = createWords(lang, catalogueFor(lang));
  cachedWords.set(lang, words);
  return words;
}

/** The words of a catalogue, which may be incomplete or missing, for a page in a language (BCP 47). */
export function createWords(lang: string, catalogue: Catalogue | null): Words {
  const own = catalogue ?? {};
  const english = readCatalogue(FALLBACK_LANG);
  const isComplete = Object.keys(english).every((key) => key in own);
  const numerals = { own: numeralsOf(lang), english: numeralsOf(FALLBACK_LANG) };

  const numeralsFor = (key: WordKey): Numerals => (key in own ? numerals.own : numerals.english);
  const message = (key: WordKey): string => own[key] ?? english[key] ?? '';
  const langOf = (key: WordKey): string => (key in own ? lang : FALLBACK_LANG);
  /** Most words have no placeholder, and every page has dozens of them. */
  const fixedTexts = new Map<WordKey, string>();
  function text(key: WordKey, values?: MessageValues): string {
    if (values !== undefined) return formatText(message(key), numeralsFor(key), values);
    const fixed = fixedTexts.get(key) ?? formatText(message(key), numeralsFor(key));
    fixedTexts.set(key, fixed);
    return fixed;
  }

  return {
    lang,
    langOf,
    message,
    text,
    html: (key, elements, values) =>
      formatPieces(message(key), numeralsFor(key), values)
        .map((piece) => {
          if ('text' in piece) return escapeText(piece.text);
          const startTag = elements['opens' in piece ? piece.opens : piece.closes] ?? '';
          return 'opens' in piece ? startTag : startTag.replace(/^<([a-z]+).*/s, '</$1>');
        })
        .join(''),
    mark: (key) => (isComplete ? {} : { lang: langOf(key), dir: directionOf(langOf(key)) }),
  };
}
