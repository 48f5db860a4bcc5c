import { createRequire } from 'node:module';
import { grammarOf } from './grammars.ts';

/** The part of highlight.js that we use. Its own types would add browser globals to the whole program. */
interface Highlighter {
  newInstance(): Highlighter;
  registerLanguage(name: string, define: (engine: Highlighter) => object): void;
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}

const require = createRequire(import.meta.url);
const library: Highlighter = require('highlight.js/lib/core');
const engine = library.newInstance();

/**
 * Marks up code with `<span class="hljs-…">`, which the theme colours for light and dark schemes. Null for a language
 * without a grammar. Grammars are loaded on first use.
 */
export function highlightCode(code: string, language: string): string | null {
  const grammar = grammarOf(language);
  if (grammar === undefined || grammar === 'plaintext') return null;
  register(grammar);
  const { value } = engine.highlight(code, { language: grammar, ignoreIllegals: true });
  // Canonical HTML (see sanitise.ts) has no entity for it, and whatever reads text from HTML relies on that.
  return value.replaceAll('&#x27;', "'");
}

/** Loads a grammar and every grammar that it embeds, so that the output never depends on earlier calls. */
function register(grammar: string): void {
  if (engine.getLanguage(grammar) !== undefined) return;
  const define: (engine: Highlighter) => object = require(`highlight.js/lib/languages/${grammar}`);
  const embedded: string[] = [];
  engine.registerLanguage(grammar, (api) => {
    const language = define(api);
    embedded.push(...embeddedIn(language));
    return language;
  });
  for (const name of embedded) register(grammarOf(name) ?? name);
}

/** The names of the languages that a grammar embeds. */
function embeddedIn(root: object): string[] {
  const names: string[] = [];
  const seen = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || value instanceof RegExp || seen.has(value)) return;
    seen.add(value);
    if ('subLanguage' in value) {
      // An empty list means "guess among all loaded grammars", as for the body of an HTTP message.
      if (Array.isArray(value.subLanguage) && value.subLanguage.length === 0) value.subLanguage = 'json';
      names.push(...[value.subLanguage].flat().filter((name) => typeof name === 'string'));
    }
    for (const part of Object.values(value)) visit(part);
  };
  visit(root);
  return names;
}
