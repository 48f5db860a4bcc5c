import { escapeText, unescapeText } from '../markdown/text/plain-text.ts';
import type { WordKey } from './catalogues.ts';
import type { MessageValues } from './message.ts';
import { type Words, wordsFor } from './words.ts';

/*
 * The words that rendering adds to a post (generator/markdown): titles of callouts, names for screen readers. Stored
 * HTML always has them in English, because the language of most posts is the blog's, which may change without another
 * rendering. They get the post's language where its page and its feed entries are written.
 *
 * No author can imitate the markup around them, except a callout's title: an author who writes our English title by
 * hand gets ours in the post's language.
 */

interface Place {
  /** Matches a word where rendering writes it, after the text in the first group, which stays. */
  readonly pattern: RegExp;
  readonly replace: (own: OwnWords, match: readonly string[]) => string;
}

interface OwnWords {
  readonly words: Words;
  /** A word for an attribute or a text. */
  readonly escaped: (key: WordKey, values?: MessageValues) => string;
}

const callouts: Readonly<Record<string, WordKey>> = {
  Note: 'note',
  Tip: 'tip',
  Important: 'important',
  Warning: 'warning',
  Caution: 'caution',
};

const diagrams: Readonly<Record<string, WordKey>> = {
  flowchart: 'flowchart',
  'state diagram': 'stateDiagram',
  'sequence diagram': 'sequenceDiagram',
  'class diagram': 'classDiagram',
  'entity relationship diagram': 'entityRelationshipDiagram',
};

const formulaFaults: Readonly<Record<string, WordKey>> = {
  'The post has too many formulas to draw them all.': 'tooManyFormulas',
  'The formula asks for something that is not allowed.': 'forbiddenFormula',
};

const places: readonly Place[] = [
  {
    pattern: /(<p (?:dir="auto" )?class="markdown-alert-title")>(\w+)</g,
    replace({ words, escaped }, [found = '', before = '', title = '']) {
      const key = callouts[title];
      if (key === undefined) return found;
      const { lang } = words.mark(key);
      return `${before}${lang === undefined ? '' : ` lang="${lang}"`}>${escaped(key)}<`;
    },
  },
  {
    pattern: /(<a class="anchor" href="#[^"]*" aria-label=")Permalink(?:: ([^"]*))?"/g,
    replace: ({ escaped }, [, before = '', heading]) =>
      heading === undefined
        ? `${before}${escaped('permalink')}"`
        : `${before}${escaped('permalinkTo', { heading: unescapeText(heading) })}"`,
  },
  {
    pattern: /(<a href="#fnref-[^"]*" class="footnote-backref" aria-label=")Back to reference ([\d-]+)"/g,
    replace: ({ escaped }, [, before = '', number = '']) =>
      `${before}${escaped('backToReference', { number })}"`,
  },
  {
    pattern: /(<nav class="toc" aria-label=")Contents"/g,
    replace: ({ escaped }, [, before = '']) => `${before}${escaped('contents')}"`,
  },
  {
    pattern: /(<input type="checkbox"[^>]* aria-label=")(Completed|Incomplete) task"/g,
    replace: ({ escaped }, [, before = '', state]) =>
      `${before}${escaped(state === 'Completed' ? 'completedTask' : 'incompleteTask')}"`,
  },
  {
    pattern: /(<iframe src="[^"]*" title=")YouTube video(?: (\d+))?"/g,
    replace: ({ escaped }, [, before = '', number]) =>
      `${before}${number === undefined ? escaped('video') : escaped('videoNumber', { number: Number(number) })}"`,
  },
  {
    pattern: /(<svg role="graphics-document document" aria-roledescription=")([\w ]+)" aria-label="([^"]*)"/g,
    replace({ escaped }, [found = '', before = '', kind = '', name = '']) {
      const key = diagrams[kind];
      if (key === undefined) return found;
      const isUnnamed = name.toLowerCase() === kind;
      return `${before}${escaped(key)}" aria-label="${isUnnamed ? escaped(key) : name}"`;
    },
  },
  {
    pattern: /(<code class="math-error" title=")(The [^"]*)"/g,
    replace({ escaped }, [found = '', before = '', fault = '']) {
      const key = formulaFaults[fault];
      return key === undefined ? found : `${before}${escaped(key)}"`;
    },
  },
];

/** The language of stored HTML, with or without a region. */
const STORED_LANG = /^en(?:-[a-z]{2})?$/i;

/** A post's stored HTML with the words of the given language (BCP 47). Takes time linear in its length. */
export function withPostWords(html: string, lang: string): string {
  if (STORED_LANG.test(lang)) return html;
  const words = wordsFor(lang);
  const own: OwnWords = { words, escaped: (key, values) => escapeText(words.text(key, values)) };
  return places.reduce(
    (text, { pattern, replace }) => text.replace(pattern, (...match: string[]) => replace(own, match)),
    html,
  );
}
