/*
 * Messages in a small part of ICU's MessageFormat: `{name}` is replaced by a value, `{count, plural, one {# post} other
 * {# posts}}` by the form that the number needs, with the number for `#`, and `<link>…</link>` becomes an element.
 * Everything else is text, quotation marks included. The search page's script has this module too, so it is small and
 * imports nothing.
 */

/** Values of a message's placeholders. Numbers are written as in the message's language. */
export type MessageValues = Readonly<Record<string, string | number>>;

/** How a language counts and writes numbers. */
export interface Numerals {
  /** CLDR plural category: `one`, `few`, `other`, ... */
  plural(count: number): string;
  write(count: number): string;
}

/** A part of a finished message: text, or the beginning or end of an element. */
export type Piece = { readonly text: string } | { readonly opens: string } | { readonly closes: string };

/** The finished message without its elements. Throws if a value is missing. */
export const formatText = (message: string, numerals: Numerals, values: MessageValues = {}): string =>
  formatPieces(message, numerals, values)
    .map((piece) => ('text' in piece ? piece.text : ''))
    .join('');

/** The finished message in pieces. Throws if a value is missing. */
export const formatPieces = (message: string, numerals: Numerals, values: MessageValues = {}): Piece[] =>
  fill(parsed(message), { numerals, values, count: null });

/** The numerals of a language tag (BCP 47). Both parts are created on first use: most pages need neither. */
export function numeralsOf(lang: string): Numerals {
  let rules: Intl.PluralRules | undefined;
  let format: Intl.NumberFormat | undefined;
  return {
    plural(count) {
      rules ??= new Intl.PluralRules([lang, 'en']);
      return rules.select(count);
    },
    write(count) {
      format ??= new Intl.NumberFormat([lang, 'en']);
      return format.format(count);
    },
  };
}

/** A part of a message that is not finished. */
type Part =
  | Piece
  /** `#`, the number of the plural form around it. */
  | { readonly number: true }
  | { readonly name: string; readonly forms: ReadonlyMap<string, readonly Part[]> | null };

/** Messages by their text. There are as many as the catalogues have, and a page can have the same one many times. */
const known = new Map<string, readonly Part[]>();

function parsed(message: string): readonly Part[] {
  const parts = known.get(message) ?? parse(message, false);
  known.set(message, parts);
  return parts;
}

function parse(message: string, isForm: boolean): Part[] {
  const parts: Part[] = [];
  const special = /[{#]|<(\/?)([a-z]+)>/g;
  let done = 0;
  for (let found = special.exec(message); found !== null; found = special.exec(message)) {
    const [sign, slash, tag = ''] = found;
    if (sign === '#' && !isForm) continue;
    parts.push({ text: message.slice(done, found.index) });
    done = special.lastIndex;
    if (sign === '{') {
      done = closingBrace(message, found.index) + 1;
      parts.push(parsePlaceholder(message.slice(found.index + 1, done - 1)));
    } else if (sign === '#') parts.push({ number: true });
    else parts.push(slash === '' ? { opens: tag } : { closes: tag });
    special.lastIndex = done;
  }
  return [...parts, { text: message.slice(done) }];
}

/** `name`, or `name, plural, one {…} other {…}`. */
function parsePlaceholder(content: string): Part {
  const [name = '', forms] = /^(\w+)(?:, plural, (.*))?$/s.exec(content)?.slice(1) ?? [];
  return { name, forms: forms === undefined ? null : parseForms(forms) };
}

/** The forms of a plural by category. */
function parseForms(forms: string): ReadonlyMap<string, readonly Part[]> {
  const found = new Map<string, readonly Part[]>();
  const category = /(\w+) \{/g;
  for (let match = category.exec(forms); match !== null; match = category.exec(forms)) {
    const end = closingBrace(forms, category.lastIndex - 1);
    found.set(match[1] ?? '', parse(forms.slice(category.lastIndex, end), true));
    category.lastIndex = end + 1;
  }
  return found;
}

function closingBrace(message: string, opening: number): number {
  let depth = 0;
  for (let at = opening; at < message.length; at += 1) {
    if (message[at] === '{') depth += 1;
    else if (message[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error(`A brace is not closed in "${message}"`);
}

interface Context {
  readonly numerals: Numerals;
  readonly values: MessageValues;
  /** The number for `#`; null outside of plural forms. */
  readonly count: number | null;
}

const fill = (parts: readonly Part[], context: Context): Piece[] =>
  parts.flatMap((part): Piece | Piece[] => {
    if ('number' in part) return { text: context.numerals.write(context.count ?? 0) };
    return 'name' in part ? fillPlaceholder(part.name, part.forms, context) : part;
  });

function fillPlaceholder(
  name: string,
  forms: ReadonlyMap<string, readonly Part[]> | null,
  context: Context,
): Piece | Piece[] {
  const value = context.values[name];
  if (value === undefined) throw new Error(`A message has no value for {${name}}`);
  if (typeof value === 'string') return { text: value };
  if (forms === null) return { text: context.numerals.write(value) };
  return fill(forms.get(context.numerals.plural(value)) ?? forms.get('other') ?? [], {
    ...context,
    count: value,
  });
}
