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
  piecesOf(message, { numerals, values, count: null });

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

interface Context {
  readonly numerals: Numerals;
  readonly values: MessageValues;
  /** The number for `#`; null outside of plural forms. */
  readonly count: number | null;
}

function piecesOf(message: string, context: Context): Piece[] {
  const pieces: Piece[] = [];
  const special = /[{#]|<(\/?)([a-z]+)>/g;
  let done = 0;
  for (let found = special.exec(message); found !== null; found = special.exec(message)) {
    const [sign, slash, tag = ''] = found;
    if (sign === '#' && context.count === null) continue;
    pieces.push({ text: message.slice(done, found.index) });
    done = special.lastIndex;
    if (sign === '{') {
      done = closingBrace(message, found.index) + 1;
      pieces.push(...placeholder(message.slice(found.index + 1, done - 1), context));
    } else if (sign === '#') pieces.push({ text: context.numerals.write(context.count ?? 0) });
    else pieces.push(slash === '' ? { opens: tag } : { closes: tag });
    special.lastIndex = done;
  }
  return [...pieces, { text: message.slice(done) }];
}

/** `name`, or `name, plural, one {…} other {…}`. */
function placeholder(content: string, context: Context): Piece[] {
  const [name = '', kind, forms] = /^(\w+)(?:, (plural), (.*))?$/s.exec(content)?.slice(1) ?? [];
  const value = context.values[name];
  if (value === undefined) throw new Error(`A message has no value for {${content}}`);
  if (kind === undefined || typeof value === 'string')
    return [{ text: typeof value === 'string' ? value : context.numerals.write(value) }];
  const all = pluralForms(forms ?? '');
  const form = all.get(context.numerals.plural(value)) ?? all.get('other') ?? '';
  return piecesOf(form, { ...context, count: value });
}

/** The forms of a plural by category. */
function pluralForms(forms: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const category = /(\w+) \{/g;
  for (let match = category.exec(forms); match !== null; match = category.exec(forms)) {
    const end = closingBrace(forms, category.lastIndex - 1);
    found.set(match[1] ?? '', forms.slice(category.lastIndex, end));
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
