import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Converts Zod schemas to OpenAPI schemas. A named schema (`meta({ id })`) becomes one shared component. */
export interface SchemaRegistry {
  /** All named schemas that were converted so far, by name. */
  readonly named: Readonly<Record<string, JsonSchema>>;
  /** Schema of a value that clients send. */
  input(schema: z.ZodType): JsonSchema;
  /** Schema of a value in a response. */
  output(schema: z.ZodType): JsonSchema;
  /** Follows a reference to a named schema; other schemas are returned unchanged. */
  resolve(schema: JsonSchema): JsonSchema;
}

export const SCHEMAS = '#/components/schemas/';

export function createSchemaRegistry(): SchemaRegistry {
  const named: Record<string, JsonSchema> = {};
  const convert = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    const json = z.toJSONSchema(schema, { target: 'openapi-3.0', io, override: removeRedundantKeywords });
    const { definitions = {}, ...converted } = JSON.parse(
      JSON.stringify(json).replaceAll('"#/definitions/', `"${SCHEMAS}`),
    );
    for (const [name, definition] of Object.entries<JsonSchema>(definitions)) {
      if (name in named && JSON.stringify(named[name]) !== JSON.stringify(definition)) {
        throw new Error(`two different schemas have the name ${name}`);
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

/** Whether the response schema has a field of this name, at any depth. */
export const hasField = (schema: z.ZodType, field: string): boolean =>
  JSON.stringify(z.toJSONSchema(schema, { io: 'output' })).includes(`"${field}":`);

/** Removes keywords that repeat a format or type, and constraints that clients should not rely on. */
function removeRedundantKeywords({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: JsonSchema;
}): void {
  // Zod omits the default of a schema with a transform, because it does not know the input for that output.
  const { default: value } = z.globalRegistry.get(zodSchema) ?? {};
  if (value !== undefined) jsonSchema.default = value;
  if (jsonSchema.format !== undefined || jsonSchema.type !== 'string') delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // Later versions may add fields to responses.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  delete jsonSchema.contentEncoding;
}
