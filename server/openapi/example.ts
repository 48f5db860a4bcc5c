import type { JsonSchema, SchemaRegistry } from './json-schema.ts';

const EXAMPLES_BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '019a2f6e-5b1c-7c3d-9e4f-0a1b2c3d4e5f',
  'date-time': '2026-05-01T09:00:00.000Z',
  date: '2026-05-01',
  uri: 'https://example.org/',
  email: 'reader@example.org',
};

/**
 * An example value of a schema: the examples of its parts (`meta({ example })`), else values that their types allow.
 */
export function exampleOf(schemaOrReference: JsonSchema, registry: SchemaRegistry): unknown {
  const schema = registry.resolve(schemaOrReference);
  const { example, enum: values, anyOf, allOf } = schema;
  if (example !== undefined) return example;
  if (schema.default !== undefined) return schema.default;
  if (values) return values[0];
  const [first] = anyOf ?? allOf ?? [];
  return first ? exampleOf(first, registry) : exampleOfType(schema, registry);
}

function exampleOfType(schema: JsonSchema, registry: SchemaRegistry): unknown {
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [
          name,
          exampleOfProperty(property, registry),
        ]),
      );
    case 'array':
      return [schema.items].flat().map((item) => exampleOfProperty(item, registry));
    case 'string':
      return EXAMPLES_BY_FORMAT[schema.format ?? ''] ?? 'text';
    case 'boolean':
      return true;
    default:
      return schema.minimum ?? 1;
  }
}

const exampleOfProperty = (part: JsonSchema | boolean | undefined, registry: SchemaRegistry): unknown =>
  typeof part === 'object' ? exampleOf(part, registry) : {};
