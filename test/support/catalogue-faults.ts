import { nearestName } from '../../generator/nearest-name.ts';

/** The words of a language by key, as they are read from its file. */
type Words = Readonly<Record<string, unknown>>;

/** A plural in a message, `{count, plural, one {…} other {…}}`: its forms by category, and the message without them. */
interface Plural {
  readonly name: string;
  readonly forms: ReadonlyMap<string, string>;
  /** The message with `{count}` in place of the plural. */
  readonly around: string;
}

/**
 * What is wrong with a catalogue, a line for each fault: the language, the key, and what to do about it. `json` is the
 * text of its file.
 */
export function catalogueFaults(
  lang: string,
  json: string,
  english: Readonly<Record<string, string>>,
): string[] {
  let words: Words;
  try {
    words = JSON.parse(json);
  } catch (error) {
    return [`${lang}: the file is not JSON: ${placeOf(String(error), json)}`];
  }
  const known = Object.keys(english).filter((key) => typeof words[key] === 'string');
  const faults = [
    ...keyFaults(json, words, english),
    ...known.flatMap((key) =>
      messageFaults(lang, String(words[key]), english[key] ?? '').map((fault) => `"${key}" ${fault}`),
    ),
  ];
  return faults.map((fault) => `${lang}: ${fault}`);
}

/** A parser's message with the line that it speaks of. */
function placeOf(message: string, json: string): string {
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined
    ? message
    : `${message} (line ${json.slice(0, Number(position)).split('\n').length} of the file)`;
}

function keyFaults(json: string, words: Words, english: Readonly<Record<string, string>>): string[] {
  const [keys, needed] = [Object.keys(words), Object.keys(english)];
  const written = Array.from(json.matchAll(/^\s*"(\w+)"\s*:/gm), ([, key = '']) => key);
  const missing = needed.filter((key) => !(key in words));
  const unknown = keys.filter((key) => !(key in english));
  return [
    ...missing.map((key) => `"${key}" is missing; English has "${english[key]}"`),
    ...unknown.map((key) => {
      const meant = nearestName(key, missing);
      return `"${key}" is unknown: English has no such key${meant === null ? '' : `; "${meant}" was meant?`}`;
    }),
    ...[...new Set(written.filter((key, at) => written.indexOf(key) !== at))].map(
      (key) => `"${key}" is there twice`,
    ),
    ...keys.filter((key) => typeof words[key] !== 'string').map((key) => `"${key}" is not a text`),
    ...orderFaults(
      keys.filter((key) => key in english),
      needed.filter((key) => key in words),
    ),
  ];
}

/** The first key that is not where English has it: those after it may only be moved along. */
function orderFaults(keys: readonly string[], needed: readonly string[]): string[] {
  const at = keys.findIndex((key, index) => key !== needed[index]);
  if (at < 0) return [];
  return [`"${needed[at]}" is not in the order of English: it belongs before "${keys[at]}"`];
}

function messageFaults(lang: string, message: string, english: string): string[] {
  if (message.trim() === '') return ['is empty'];
  return [
    ...(message === message.trim() ? [] : ['begins or ends with a space']),
    ...(isCounted(english) && !isCounted(message) ? [] : placeholderFaults(message, english)),
    ...pluralFaults(lang, pluralIn(message), pluralIn(english)),
  ];
}

const isCounted = (message: string): boolean => pluralIn(message) !== null;

/** Those of English, and whatever else somebody may have taken for one. */
const PLACEHOLDER = /\{[^{}]*\}|<[^<>]*>/g;

/** The message with the name of its plural in place of the whole of it. */
const outline = (message: string): string => pluralIn(message)?.around ?? message;

function placeholderFaults(message: string, english: string): string[] {
  const own: readonly string[] = outline(message).match(PLACEHOLDER) ?? [];
  const needed: readonly string[] = outline(english).match(PLACEHOLDER) ?? [];
  const stray =
    outline(message)
      .replace(PLACEHOLDER, '')
      .match(/[{}<>]/g) ?? [];
  const count = (some: readonly string[], one: string) => some.filter((other) => other === one).length;
  const faults = [...new Set([...needed, ...own])].flatMap((one) => {
    const [has, needs] = [count(own, one), count(needed, one)];
    if (has < needs) return [`lacks ${one}, which English has: "${english}"`];
    if (has === needs) return [];
    return [needs === 0 ? `has ${one}, which English has not: "${english}"` : `has ${one} too often`];
  });
  const reversed = own.filter((tag) => own.includes(tag.replace('<', '</')) && isReversed(message, tag));
  return [
    ...faults,
    ...reversed.map((tag) => `closes ${tag} before it is open`),
    ...[...new Set(stray)].map((sign) => `has a stray ${sign}: it belongs to no placeholder or element`),
  ];
}

const isReversed = (message: string, tag: string): boolean =>
  message.indexOf(tag.replace('<', '</')) < message.indexOf(tag);

function pluralIn(message: string): Plural | null {
  const plural = /\{(\w+), plural, ((?:\w+ \{[^{}]*\} ?)+)\}/.exec(message);
  if (plural === null) return null;
  const [found, name = '', forms = ''] = plural;
  const byCategory = Array.from(
    forms.matchAll(/(\w+) \{([^{}]*)\}/g),
    ([, category = '', form = '']) => [category, form] as const,
  );
  return { name, forms: new Map(byCategory), around: message.replace(found, `{${name}}`) };
}

function pluralFaults(lang: string, own: Plural | null, english: Plural | null): string[] {
  if (english === null) return own === null ? [] : [`has a plural of {${own.name}}, and English has none`];
  const categories = [...new Intl.PluralRules(lang).resolvedOptions().pluralCategories].sort();
  const model = `{${english.name}, plural, ${categories.map((category) => `${category} {…}`).join(' ')}}`;
  if (own === null) return [`has no plural, or one that is not written as ${model}`];
  const missing = categories.filter((category) => !own.forms.has(category));
  const unknown = [...own.forms.keys()].filter((category) => !categories.some((known) => known === category));
  return [
    ...missing.map((category) => `lacks the plural form "${category}", which ${exampleOf(lang, category)}`),
    ...unknown.map(
      (category) =>
        `has the plural form "${category}", which the language has not: it has ${categories.join(', ')}`,
    ),
    ...formFaults(lang, own, english),
  ];
}

function formFaults(lang: string, own: Plural, english: Plural): string[] {
  return [...own.forms].flatMap(([category, form]) => {
    if (form.trim() === '') return [`has an empty plural form "${category}"`];
    if (/[<>]/.test(form)) return [`has an element in the plural form "${category}", where none can be`];
    if (form.includes('#') || !needsNumber(numbersOf(lang, category), english)) return [];
    return [`lacks # in the plural form "${category}", which ${exampleOf(lang, category)}`];
  });
}

/**
 * A form that stands for several numbers has to say which, if English does. One for 0 and 1 only has to if English says
 * it of one, as otherwise the message is not for 0.
 */
function needsNumber(numbers: readonly number[], { forms }: Plural): boolean {
  if (numbers.length === 1) return false;
  return forms.get(Math.max(...numbers) === 1 ? 'one' : 'other')?.includes('#') ?? false;
}

const exampleOf = (lang: string, category: string): string => {
  const numbers = numbersOf(lang, category);
  if (numbers.length === 0) return `${lang} has for large or broken numbers`;
  return `${lang} has for ${numbers.slice(0, 3).join(', ')}${numbers.length > 3 ? ', …' : ''}`;
};

/** The numbers below 200 of a category. */
function numbersOf(lang: string, category: string): number[] {
  const rules = new Intl.PluralRules(lang);
  return Array.from({ length: 200 }, (_, number) => number).filter(
    (number) => rules.select(number) === category,
  );
}
