import { z } from 'zod';
import { quotedNames, shownName } from '../../generator/shown-name.ts';
import { DomainError } from '../runtime/errors.ts';
import {
  describeProblems,
  MAX_NAMED,
  type Mistakes,
  type Problem,
  presentWarnings,
} from '../wire/mistake.ts';
import { fieldsOf, readerOf, requiredFieldsOf } from './unknown-fields.ts';

export type Parsed<Value> =
  | { readonly value: Value; readonly problems?: undefined }
  | { readonly problems: readonly Problem[] };

/** Parses an input, or returns all that is wrong with it. `whole` names the input in messages about all of it. */
export function tryParse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  whole: string,
): Parsed<z.output<Schema>> {
  const result = schema.safeParse(input, { error: issueMessage });
  if (result.success) return { value: result.data };
  return {
    problems: result.error.issues.map(({ path, message }) =>
      path.length === 0 ? { message: `${whole}: ${message}` } : { field: fieldPath(path), message },
    ),
  };
}

/** Throws `bad_request` that lists all that is wrong with the input. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  whole: string,
): z.output<Schema> {
  const parsed = tryParse(schema, input, whole);
  if (parsed.problems) throw invalidRequest(parsed.problems);
  return parsed.value;
}

const noMistakes: Mistakes = { first: [], more: 0 };

/**
 * The error for an invalid request. The first line of its message is about the first problem. `more` counts problems
 * beyond those given.
 */
export function invalidRequest(problems: readonly Problem[], more = 0, mistakes = noMistakes): DomainError {
  const warnings = presentWarnings(mistakes);
  return new DomainError('bad_request', describeProblems(problems, more), {
    problems: problems
      .slice(0, MAX_NAMED)
      .map(({ field, message }) => ({ ...(field && { field }), message })),
    ...(warnings.length > 0 && { warnings }),
  });
}

/** `['posts', 3, 'title']` -> `posts[3].title` */
export const fieldPath = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${shownName(String(key))}`))
    .join('')
    .replace(/^\./, '');

const choices = new Intl.ListFormat('en', { type: 'disjunction' });

/** Messages for a wrong type or choice if the schema has none of its own. */
function issueMessage(issue: {
  readonly code?: string;
  readonly input?: unknown;
  readonly expected?: unknown;
  readonly values?: unknown;
  readonly inst?: unknown;
}) {
  if (issue.code === 'invalid_value' && Array.isArray(issue.values)) {
    return `must be ${choices.format(issue.values.map(String))}`;
  }
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.input === undefined) return 'is missing';
  return `must be ${describeExpected(issue.inst, String(issue.expected))}`;
}

/** Most fields that a message names. */
const MAX_FIELDS = 12;

/** What an input of the schema is: "an object with `url`, and optionally `alt`", "a list of strings", "true or false". */
function describeExpected(schema: unknown, expected: string): string {
  if (expected === 'boolean') return 'true or false';
  if (expected === 'object' && schema instanceof z.ZodType) {
    return `an object${describeFields(schema)}`;
  }
  if (expected === 'array') return `a list${schema instanceof z.ZodArray ? elementsOf(schema) : ''}`;
  return `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`;
}

/** The fields of an object, required and optional ones apart: " with `url`, and optionally `alt`". */
function describeFields(schema: z.ZodType): string {
  const fields = fieldsOf(schema);
  if (fields.length === 0 || fields.length > MAX_FIELDS) return '';
  const required = requiredFieldsOf(schema);
  const optional = fields.filter((name) => !required.includes(name));
  if (required.length === 0) return `, optionally with ${quotedNames(optional)}`;
  const rest = optional.length > 0 ? `, and optionally ${quotedNames(optional)}` : '';
  return ` with ${quotedNames(required)}${rest}`;
}

function elementsOf({ element }: z.ZodArray): string {
  if (element instanceof z.ZodType && fieldsOf(element).length > 0)
    return ` of objects${describeFields(element)}`;
  return readerOf(element, '') instanceof z.ZodString ? ' of strings' : '';
}
