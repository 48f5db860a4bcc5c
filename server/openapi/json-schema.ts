import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Turns the wire shapes into the schemas of a document. Those that have a name (`meta({ id })`) stand in it once. */
export interface SchemaBook {
  /** Every named schema that was met so far, by its name. */
  readonly named: Readonly<Record<string, JsonSchema>>;
  /** What a client may send. */
  input(schema: z.ZodType): JsonSchema;
  /** What a client is answered. */
  output(schema: z.ZodType): JsonSchema;
  /** The schema itself, where this is a reference to it. */
  resolve(schema: JsonSchema): JsonSchema;
}

export const SCHEMAS = '#/components/schemas/';

export function createSchemaBook(): SchemaBook {
  const named: Record<string, JsonSchema> = {};
  const convert = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    const json = z.toJSONSchema(schema, { target: 'openapi-3.0', io, override: tidy });
    const { definitions = {}, ...converted } = JSON.parse(
      JSON.stringify(json).replaceAll('"#/definitions/', `"${SCHEMAS}`),
    );
    for (const [name, definition] of Object.entries<JsonSchema>(definitions)) {
      if (name in named && JSON.stringify(named[name]) !== JSON.stringify(definition)) {
        throw new Error(`two schemas are called ${name}`);
      }
      named[name] = definition;
    }
    return converted;
  };
  return {
    named,
    input: (schema) => convert(schema, 'input'),
    output: (schema) => convert(schema, 'output'),
    resolve: (schema) => (schema.$ref && named[schema.$ref.slice(SCHEMAS.length)]) || schema,
  };
}

/** Whether what a client is answered has a field of this name, at any depth. */
export const mentions = (schema: z.ZodType, field: string): boolean =>
  JSON.stringify(z.toJSONSchema(schema, { io: 'output' })).includes(`"${field}":`);

/** Takes out what only says again what a format or a type says, and what a client should not rely on. */
function tidy({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  // Zod leaves a default out of a schema that transforms, as it cannot know what the client would have to send.
  const { default: value } = z.globalRegistry.get(zodSchema) ?? {};
  if (value !== undefined) jsonSchema.default = value;
  if (jsonSchema.format !== undefined || jsonSchema.type !== 'string') delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // A later version may answer more.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  delete jsonSchema.contentEncoding;
}
