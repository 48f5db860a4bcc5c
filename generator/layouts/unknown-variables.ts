import {
  ForTag,
  type PropertyAccessToken,
  TablerowTag,
  type Template,
  type Token,
  TypeGuards,
  toValueSync,
  Value,
} from 'liquidjs';
import { nearestName } from '../nearest-name.ts';
import { quotedName, quotedNames } from '../shown-name.ts';
import { layoutVariables, type Shape } from './variables.ts';

/** Most variables that are named; the rest are counted. */
const MAX_NAMED = 10;
/** Most names that a message lists if none of them is near. */
const MAX_LISTED = 12;

/** What a layout reads and no page ever has: the first of them with line and column, and how many more there are. */
export interface UnknownVariables {
  readonly first: readonly string[];
  readonly more: number;
}

/** What a name may hold; of what the layout assigns itself, nothing is known. */
type Known = Shape | 'anything';
type Scope = ReadonlyMap<string, Known>;
/** A name or an index; null if it is known only when the page is made. */
type Segment = string | number | null;

interface Miss {
  readonly token: PropertyAccessToken;
  /** The segments up to the one that does not exist. */
  readonly path: readonly Segment[];
  /** The names that could stand in its place. */
  readonly known: readonly string[];
}

/**
 * The variables and properties that do not exist on any kind of page, each once, in the order of the layout. What a
 * page may lack is known, and so is what the layout assigns anywhere.
 */
export function unknownVariables(templates: readonly Template[]): UnknownVariables {
  const misses = new Map<string, Miss>();
  const note = (miss: Miss) => {
    const text = textOf(miss.path);
    if (!misses.has(text)) misses.set(text, miss);
  };
  const assigned = new Map(assignedNames(templates).map((name): [string, Known] => [name, 'anything']));
  findMisses(templates, new Map([...Object.entries(layoutVariables.fields), ...assigned]), note);
  const found = [...misses.values()];
  return {
    first: found.slice(0, MAX_NAMED).map(describe),
    more: Math.max(0, found.length - MAX_NAMED),
  };
}

const childrenOf = (template: Template): Template[] =>
  template.children ? Object(toValueSync(template.children(false, true))) : [];

/** Names that `assign`, `capture`, `increment` and `decrement` set. */
function assignedNames(templates: readonly Template[]): string[] {
  return templates.flatMap((template) => [
    ...[...(template.localScope?.() ?? [])].map(({ content }) => String(content)),
    ...assignedNames(childrenOf(template)),
  ]);
}

function findMisses(templates: readonly Template[], scope: Scope, note: (miss: Miss) => void): void {
  for (const template of templates) {
    for (const argument of template.arguments?.() ?? []) {
      for (const token of accessesIn(argument)) resolve(token, scope, note);
    }
    findMisses(childrenOf(template), scopeIn(template, scope), note);
  }
}

/** The scope inside a tag: a loop adds its variable, and what counts its rounds. */
function scopeIn(template: Template, scope: Scope): Scope {
  const names = [...(template.blockScope?.() ?? [])];
  if (names.length === 0) return scope;
  const inside = new Map(scope);
  for (const name of names) inside.set(name, 'anything');
  if (template instanceof ForTag || template instanceof TablerowTag) {
    const { variable, collection } = template;
    const list = TypeGuards.isPropertyAccessToken(collection) ? resolve(collection, scope) : 'anything';
    inside.set(variable, typeof list === 'object' && 'entries' in list ? list.entries : 'anything');
  }
  return inside;
}

/** All variables that an argument reads, those in filters and in brackets included. */
function accessesIn(argument: Value | Token): PropertyAccessToken[] {
  if (argument instanceof Value || TypeGuards.isFilteredValueToken(argument)) {
    const inFilters = argument.filters.flatMap(({ args }) =>
      args.flatMap((arg) => (Array.isArray(arg) ? (arg[1] ?? []) : arg)),
    );
    return [...argument.initial.postfix, ...inFilters].flatMap(accessesIn);
  }
  if (TypeGuards.isRangeToken(argument)) return [argument.lhs, argument.rhs].flatMap(accessesIn);
  if (!TypeGuards.isPropertyAccessToken(argument)) return [];
  return [argument, ...argument.props.filter(TypeGuards.isPropertyAccessToken).flatMap(accessesIn)];
}

/** What a variable holds. `note` is called if it does not exist. */
function resolve(token: PropertyAccessToken, scope: Scope, note: (miss: Miss) => void = () => {}): Known {
  // A text or a range in place of a name.
  if (token.variable !== undefined) return 'anything';
  const segments = token.props.map(segmentOf);
  const [root] = segments;
  if (typeof root !== 'string') return 'anything';
  let at = scope.get(root);
  if (at === undefined) {
    note({ token, path: [root], known: [...scope.keys()] });
    return 'anything';
  }
  for (const [index, segment] of segments.entries()) {
    if (index === 0) continue;
    const next: Known | undefined = propertyOf(at, segment);
    if (next === undefined) {
      const known = typeof at === 'object' && 'fields' in at ? Object.keys(at.fields) : [];
      note({ token, path: segments.slice(0, index + 1), known });
      return 'anything';
    }
    at = next;
  }
  return at;
}

function segmentOf(prop: PropertyAccessToken['props'][number]): Segment {
  if (TypeGuards.isNumberToken(prop)) return Number(prop.content);
  return TypeGuards.isWordToken(prop) || TypeGuards.isQuotedToken(prop) ? String(prop.content) : null;
}

/** Undefined if there is no such property. Liquid gives everything a `size`, and lists a `first` and a `last`. */
function propertyOf(known: Known, segment: Segment): Known | undefined {
  if (known === 'anything' || segment === 'size') return 'anything';
  if (known === 'plain') return undefined;
  if ('entries' in known) {
    const isEntry = typeof segment !== 'string' || segment === 'first' || segment === 'last';
    return isEntry ? known.entries : undefined;
  }
  if (segment === null) return 'anything';
  return Object.hasOwn(known.fields, segment) ? known.fields[segment] : undefined;
}

function describe({ token, path, known }: Miss): string {
  const [line, column] = token.getPosition();
  return `line ${line}, column ${column}: ${quotedName(textOf(path))} does not exist${hint(path, known)}`;
}

function hint(path: readonly Segment[], known: readonly string[]): string {
  const near = nearestName(String(path.at(-1)), known);
  if (near !== null) return `: did you mean ${quotedName(textOf([...path.slice(0, -1), near]))}?`;
  if (known.length === 0 || known.length > MAX_LISTED) return '';
  return path.length === 1
    ? `: there are ${quotedNames(known)}`
    : `: ${quotedName(textOf(path.slice(0, -1)))} has ${quotedNames(known)}`;
}

/** `post.tags[0].label` */
const textOf = (path: readonly Segment[]): string =>
  path
    .map((segment) => (typeof segment === 'string' ? `.${segment}` : `[${segment ?? '…'}]`))
    .join('')
    .replace(/^\./, '');
