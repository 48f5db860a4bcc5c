/** The part of an OpenAPI schema that this generator reads. Any other keyword is an error: it might change the type. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly description?: string;
  readonly default?: unknown;
}

const typeKeywords = [
  ...['$ref', 'type', 'format', 'enum', 'nullable', 'properties', 'required', 'additionalProperties'],
  ...['items', 'anyOf', 'allOf', 'description', 'default'],
];
/** What TypeScript cannot say, or need not. */
const unsaid = [
  ...['example', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'maxProperties'],
  ...['minimum', 'maximum'],
];

export interface TypeOptions {
  /** For what clients send: an optional field may also be undefined, as it then is not sent. */
  readonly isInput: boolean;
}

/** Names of schemas that are those of a global, which an import would hide. */
const renamed: Readonly<Record<string, string>> = { Error: 'ErrorBody', Image: 'StoredImage' };

/** TypeScript name of a named schema. */
export const typeName = (schema: string): string => renamed[schema] ?? schema;

export const nameInReference = (reference: string): string => reference.replace('#/components/schemas/', '');

/** A schema as a TypeScript type. Throws on a keyword that it does not know. */
export function typeOf(schema: Schema, options: TypeOptions): string {
  const unknown = Object.keys(schema).find((key) => !typeKeywords.includes(key) && !unsaid.includes(key));
  if (unknown !== undefined) throw new Error(`no rule for the keyword ${unknown} of a schema`);
  const type = plainTypeOf(schema, options);
  return schema.nullable ? `${type} | null` : type;
}

function plainTypeOf(schema: Schema, options: TypeOptions): string {
  const { anyOf, properties = {} } = schema;
  if (schema.$ref !== undefined) return typeName(nameInReference(schema.$ref));
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf?.every(isRequirement)) {
    const needed = anyOf.map(({ required }) =>
      objectType({ properties: only(properties, required), ...(required && { required }) }, options),
    );
    return `${objectType(schema, options)} & (${needed.join(' | ')})`;
  }
  if (anyOf) return anyOf.map((part) => grouped(part, options)).join(' | ');
  if (schema.allOf) return schema.allOf.map((part) => grouped(part, options)).join(' & ');
  switch (schema.type) {
    case 'object':
      return objectType(schema, options);
    case 'array':
      return `${grouped(schema.items ?? {}, options)}[]`;
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case undefined:
      return 'unknown';
    default:
      throw new Error(`no rule for a schema of type ${schema.type}`);
  }
}

/** A part of `anyOf` that only says which of the fields beside it must be there. */
const isRequirement = (schema: Schema): boolean => Object.keys(schema).join() === 'required';

const only = (properties: Readonly<Record<string, Schema>>, names: readonly string[] = []) =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name)));

function grouped(schema: Schema, options: TypeOptions): string {
  const isComposite = schema.nullable || schema.enum || schema.anyOf || schema.allOf;
  return isComposite ? `(${typeOf(schema, options)})` : typeOf(schema, options);
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, options: TypeOptions) {
  const fields = Object.entries(properties).map(([name, property]) => {
    const isOptional = !required.includes(name);
    const type = typeOf(property, options);
    const maybe = isOptional && options.isInput ? ' | undefined' : '';
    return `${comment(property)}${propertyName(name)}${isOptional ? '?' : ''}: ${type}${maybe};\n`;
  });
  if (!additionalProperties) return fields.length === 0 ? 'Record<string, never>' : block(fields);
  const others = typeOf(additionalProperties, options);
  return fields.length === 0
    ? `Record<string, ${others}>`
    : block([...fields, `[field: string]: ${others};\n`]);
}

export const propertyName = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name));

/** Lines in braces, indented. */
export const block = (lines: readonly string[]): string => `{\n${lines.join('').replace(/^(?=.)/gm, '  ')}}`;

/** The description as a doc comment, with the default; empty if there is neither. */
export function comment({
  description,
  default: preset,
}: {
  readonly description?: string;
  readonly default?: unknown;
}): string {
  const lines = [
    ...(description === undefined ? [] : description.split('\n')),
    ...(preset === undefined ? [] : [`@default ${JSON.stringify(preset)}`]),
  ].map((line) => line.replaceAll('*/', '*\u200b/'));
  const [first, ...more] = lines;
  if (first === undefined) return '';
  if (more.length === 0) return `/** ${first} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
