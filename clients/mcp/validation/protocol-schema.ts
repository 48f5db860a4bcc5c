import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { validatorOf } from './validator.ts';

type Converter = StandardSchemaWithJSON['~standard']['jsonSchema']['input'];

const stored = new WeakMap<z.ZodType, StandardSchemaWithJSON>();

/**
 * The schema as the protocol's SDK takes it: its errors are short, and its JSON Schema is made once. Over HTTP a server
 * is made for every request, and the SDK would convert every schema anew for each list, which takes longer than the
 * rest of the request.
 */
export function protocolSchema<Schema extends z.ZodType>(
  schema: Schema,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const known = stored.get(schema) ?? storing(schema);
  stored.set(schema, known);
  return known as StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>>;
}

function storing(schema: z.ZodType): StandardSchemaWithJSON {
  const original = (schema as unknown as StandardSchemaWithJSON)['~standard'];
  const { input, output } = original.jsonSchema;
  const jsonSchema = { input: once(input), output: once(output) };
  return { '~standard': { ...original, validate: validatorOf(original), jsonSchema } };
}

function once(convert: Converter): Converter {
  const byTarget = new Map<string, ReturnType<Converter>>();
  return (options) => {
    const json = byTarget.get(options.target) ?? concise(convert(options));
    byTarget.set(options.target, json);
    return json;
  };
}

/** Leaves out keywords that say nothing: agents pay for every list of tools. */
const concise = (json: ReturnType<Converter>): ReturnType<Converter> =>
  JSON.parse(JSON.stringify(json, (name, value) => (saysNothing(name, value) ? undefined : value)));

const saysNothing = (name: string, value: unknown): boolean =>
  name === '$schema' ||
  // Every integer of JavaScript has these bounds.
  value === Number.MAX_SAFE_INTEGER ||
  value === Number.MIN_SAFE_INTEGER ||
  (name === 'additionalProperties' && JSON.stringify(value) === '{}');
