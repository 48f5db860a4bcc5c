import type { z } from 'zod';
import { bodyMistakes, formMistakes, joined, queryMistakes, unreadBodyMistakes } from '../input/mistakes.ts';
import { invalidRequest, type Parsed, tryParse } from '../input/parse-input.ts';
import { type Preferences, preferenceMistakes, preferenceRemarks } from '../input/preferences.ts';
import { fieldsOf } from '../input/unknown-fields.ts';
import type { Mistakes, Problem } from '../wire/mistake.ts';
import type { SentBody } from './body.ts';
import type { Endpoint } from './endpoint.ts';

export interface ValidRequest {
  readonly body: unknown;
  readonly query: unknown;
  /** What the request has and nothing reads. */
  readonly mistakes: Mistakes;
}

/**
 * Parses body and query. Throws `bad_request` that lists all that is invalid, and under `handling=strict` all that
 * nothing reads, too.
 */
export function validateRequest(
  declared: Endpoint,
  sent: SentBody & { readonly query: object; readonly prefer: string | undefined },
  { handling }: Preferences,
): ValidRequest {
  const body: Parsed<unknown> = declared.body
    ? parseBody(declared.body, sent.body, declared.form !== undefined)
    : { value: undefined };
  const query: Parsed<unknown> = declared.query
    ? parseQuery(declared.query, sent.query)
    : { value: undefined };
  const mistakes = joined(mistakesOf(declared, sent), preferenceMistakes(sent.prefer));
  const problems = [...(body.problems ?? []), ...(query.problems ?? [])];
  const isRefused = handling === 'strict' && mistakes.first.length > 0;
  if (isRefused) throw invalidRequest([...problems, ...mistakes.first], mistakes.more);
  if (body.problems || query.problems) throw invalidRequest(problems, 0, mistakes);
  return { body: body.value, query: query.value, mistakes: joined(mistakes, preferenceRemarks(sent.prefer)) };
}

/** A missing body counts as an empty object: some requests need no field. */
function parseBody(schema: z.ZodType, body: unknown, takesForm: boolean): Parsed<unknown> {
  if (body !== undefined) return tryParse(schema, body, 'the body');
  const parsed = tryParse(schema, {}, 'the body');
  if (!parsed.problems) return parsed;
  const message = `the body is empty: send a JSON object${takesForm ? ' or a form' : ''}`;
  return { problems: [{ message }, ...parsed.problems] };
}

function parseQuery(schema: z.ZodType, query: object): Parsed<unknown> {
  const parsed = tryParse(schema, query, 'the query');
  if (!parsed.problems) return parsed;
  const values = new Map<string, unknown>(Object.entries(query));
  const problems = parsed.problems.map((problem): Problem => {
    const isRepeated = problem.field !== undefined && Array.isArray(values.get(problem.field));
    return isRepeated ? { ...problem, message: 'must be given once' } : problem;
  });
  return { problems };
}

function mistakesOf(declared: Endpoint, { body, formFields, query }: SentBody & { readonly query: object }) {
  const { fields = declared.body, form } = declared;
  const ofQuery = queryMistakes(declared.query, query, fields ? fieldsOf(fields) : []);
  if (!fields) return joined(unreadBodyMistakes(body), ofQuery);
  const ofBody =
    form && formFields
      ? formMistakes(form, formFields)
      : bodyMistakes(fields, body, readOnlyFieldsOf(declared));
  return joined(ofBody, ofQuery);
}

const readOnlyFieldsOf = ({ method, resource, response, instead = {} }: Endpoint) => ({
  names: [...fieldsOf(resource ?? response), ...Object.keys(instead)],
  instead,
  effect: `${method === 'put' ? 'changed' : 'set'} by ${method.toUpperCase()}`,
});
