import type { z } from 'zod';
import { nearestName, withoutStyle } from '../../generator/nearest-name.ts';
import { quotedName, quotedNames, shownName } from '../../generator/shown-name.ts';
import { MAX_NAMED, type Mistake, type Mistakes } from '../wire/mistake.ts';
import { fieldPath } from './parse-input.ts';
import { fieldPaths, fieldsOf, type UnknownField, unknownFields } from './unknown-fields.ts';

/** Most names that a message lists if none of them is near. */
const MAX_LISTED = 12;

/** Fields of the resource that a request may not change, by the place where each is changed, if there is one. */
export interface ReadOnlyFields {
  readonly names: readonly string[];
  /** What to do instead: "use POST /v1/posts/{slug}/publish". */
  readonly instead: Readonly<Record<string, string>>;
  /** What the request does not do to them: "changed by PUT". */
  readonly effect: string;
}

/** Unknown fields of a body, of which read-only ones are one mistake together: a client may send all that it got. */
export function bodyMistakes(schema: z.ZodType, body: unknown, readOnly: ReadOnlyFields): Mistakes {
  const first: Mistake[] = [];
  const sentReadOnly: string[] = [];
  let more = 0;
  for (const unknown of unknownFields(schema, body)) {
    if (unknown.at.length === 0 && readOnly.names.includes(unknown.name)) sentReadOnly.push(unknown.name);
    else if (first.length < MAX_NAMED) first.push(unknownFieldMistake(schema, unknown));
    else more += 1;
  }
  const others = { first, more };
  if (sentReadOnly.length === 0) return others;
  return joined({ first: [readOnlyMistake(sentReadOnly, readOnly)], more: 0 }, others);
}

function unknownFieldMistake(schema: z.ZodType, unknown: UnknownField): Mistake {
  const { name, at, known } = unknown;
  const parent = at.length === 0 ? 'this request' : fieldPath(at);
  const aliased = at.length === 0 ? fieldPaths(schema).map((path) => path.join('.')) : known;
  const meant = aliasOf(name, aliased) ?? nearestName(name, known) ?? pathElsewhere(schema, name);
  const hint = hintAt(meant, known);
  return mistakeOf(name, fieldPath([...at, name]), `is not a field of ${parent}${hint}`);
}

/** Names that other services have for a field, by which it is not near. */
const ALIASES: ReadonlyMap<string, readonly string[]> = new Map([
  ['body', ['content']],
  ['text', ['content']],
  ['markdown', ['content']],
  ['name', ['title']],
  ['permalink', ['slug']],
  ['category', ['tags']],
  ['categories', ['tags']],
  ['image', ['cover_image']],
  ['canonical', ['canonical_url']],
  ['lang', ['language']],
  ['locale', ['language']],
  ['draft', ['status']],
  ['published', ['status']],
  ['excerpt', ['meta.description']],
  ['summary', ['meta.description']],
  ['date', ['published_at']],
  ['theme', ['theme_config']],
  ['favicon', ['settings.icon', 'icon']],
  ['href', ['url']],
  ['source', ['from']],
  ['target', ['to']],
  ['limit', ['per_page']],
]);

/** The one of the known names or paths that has this name elsewhere. */
const aliasOf = (name: string, known: readonly string[]): string | null =>
  ALIASES.get(name.toLowerCase())?.find((alias) => known.includes(alias)) ?? null;

/** The only field of this name in another object of the body: `description` -> `meta.description`. */
function pathElsewhere(schema: z.ZodType, name: string): string | null {
  const wanted = withoutStyle(name);
  const [found, ...others] = fieldPaths(schema).filter((path) => withoutStyle(path.at(-1) ?? '') === wanted);
  return found === undefined || others.length > 0 ? null : found.join('.');
}

function readOnlyMistake(names: readonly string[], { instead, effect }: ReadOnlyFields): Mistake {
  const [name = ''] = names;
  if (names.length === 1) {
    const hint = instead[name];
    return mistakeOf(name, name, hint === undefined ? 'is read-only' : `is not ${effect}: ${hint}`);
  }
  const described = names.map((each) => quotedName(each) + (instead[each] ? ` (${instead[each]})` : ''));
  const message = `fields that are not ${effect}: ${described.join(', ')}`;
  return { message, warning: message };
}

/** Parameters that the query does not have. `bodyFields`: those may have been meant for the body. */
export function queryMistakes(
  schema: z.ZodType | undefined,
  query: object,
  bodyFields: readonly string[],
): Mistakes {
  const known = schema ? fieldsOf(schema) : [];
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  return firstOf(unknown, (name) => {
    const isInBody = bodyFields.includes(name);
    const hint = isInBody
      ? ': send it in the body'
      : hintAt(aliasOf(name, known) ?? nearestName(name, known), known);
    return mistakeOf(name, shownName(name), `is not a query parameter of this request${hint}`);
  });
}

/** Fields of a form (`multipart/form-data`) that nothing reads. */
export function formMistakes(form: z.ZodType, names: readonly string[]): Mistakes {
  const known = fieldsOf(form);
  const unknown = [...new Set(names)].filter((name) => !known.includes(name));
  return firstOf(unknown, (name) => {
    const hint = hintAt(nearestName(name, known), known);
    return mistakeOf(name, shownName(name), `is not a field of this form${hint}`);
  });
}

/** A body that nothing reads, because the request takes none. An empty object is none. */
export function unreadBodyMistakes(body: unknown): Mistakes {
  if (body === undefined) return { first: [], more: 0 };
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return firstOf(Object.keys(body), (name) =>
      mistakeOf(name, shownName(name), 'is not read: this request takes no body'),
    );
  }
  const message = 'the body is not read: this request takes none';
  return { first: [{ message, warning: message }], more: 0 };
}

export function joined(...all: readonly Mistakes[]): Mistakes {
  const first = all.flatMap((mistakes) => mistakes.first);
  const more = all.reduce((sum, mistakes) => sum + mistakes.more, 0);
  return { first: first.slice(0, MAX_NAMED), more: more + Math.max(0, first.length - MAX_NAMED) };
}

const firstOf = (names: readonly string[], describe: (name: string) => Mistake): Mistakes => ({
  first: names.slice(0, MAX_NAMED).map(describe),
  more: Math.max(0, names.length - MAX_NAMED),
});

const mistakeOf = (name: string, field: string, message: string): Mistake => ({
  field,
  message,
  warning: `${quotedName(name)} ${message}`,
});

/** The end of a message: the name that was probably meant, or else what there is, if that is not too much to list. */
function hintAt(near: string | null, known: readonly string[]): string {
  if (near !== null) return `: did you mean ${quotedName(near)}?`;
  if (known.length === 0) return ', which has none';
  return known.length > MAX_LISTED ? '' : `, which has ${quotedNames(known)}`;
}
