import { z } from 'zod';
import {
  block,
  comment,
  nameInReference,
  propertyName,
  type Schema,
  typeName,
  typeOf,
} from './schema-types.ts';

const schema: z.ZodType<Schema> = z.custom<Schema>((value) => typeof value === 'object' && value !== null);
const media = z.object({ schema });
const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query']),
  required: z.boolean(),
  description: z.string().exactOptional(),
  schema,
});
const reference = z.object({ $ref: z.string() });
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.unknown()),
  parameters: z.array(z.union([reference, parameter])),
  requestBody: z.object({ required: z.boolean(), content: z.record(z.string(), media) }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: z.record(z.string(), media).optional() })),
});
const documentShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
});

type Operation = z.infer<typeof operation>;

/** Words of the table of operations, by the header parameter that they stand for. */
const words: Readonly<Record<string, string>> = {
  BlogId: 'blog',
  PreferWait: 'wait',
  IdempotencyKey: 'key',
  IfMatch: 'match',
  IfNoneMatch: 'none-match',
};

const NOTICE = '// Made from the OpenAPI document by `npm run generate-sdk-types`. Do not edit.\n\n';

/** The generated modules of the SDK, by file name. */
export function sdkTypesOf(document: object): Record<'types.ts' | 'operations.ts', string> {
  const { paths, components } = documentShape.parse(document);
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) => ({ method: method.toUpperCase(), path, ...found })),
  );
  const inputs = inputNames(all, components.schemas);
  const named = Object.entries(components.schemas).map(([name, found]) =>
    declaration(typeName(name), typeOf(found, { isInput: inputs.has(name) }), found),
  );
  const queries = all.flatMap(queryDeclaration);
  const table = all.map((found) => `${comment({ description: found.summary })}${signature(found)}`);
  const entries = all.map((found) => `${found.operationId}: '${entryOf(found)}',\n`);
  return {
    'types.ts': `${NOTICE}${[...named, ...queries].join('\n')}\n/** Input and answer of every operation. */\nexport interface Operations ${block(table)}\n`,
    'operations.ts': `${NOTICE}/**
 * Method and path of every operation, and what it takes: \`blog\` (\`X-Blog-Id\`), \`wait\` (\`Prefer: wait\`), \`key\`
 * (\`Idempotency-Key\`), \`match\` (\`If-Match\`), \`none-match\` (\`If-None-Match\`); \`public\` ones need no API key.
 */
export const operations = ${block(entries)} as const;\n`,
  };
}

/** An interface for an object, otherwise an alias. */
function declaration(name: string, type: string, described: { readonly description?: string }): string {
  const isObject = type.startsWith('{') && type.indexOf('\n}') === type.length - 2;
  return `${comment({ ...(described.description !== undefined && { description: described.description }) })}export ${isObject ? `interface ${name} ${type}` : `type ${name} = ${type};`}\n`;
}

/** Named schemas that request bodies use, directly or within others. */
function inputNames(
  all: readonly Operation[],
  schemas: Readonly<Record<string, Schema>>,
): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, ref = ''] of JSON.stringify(value ?? {}).matchAll(/"\$ref":"([^"]+)"/g)) {
      const name = nameInReference(ref);
      if (names.has(name)) continue;
      names.add(name);
      visit(schemas[name]);
    }
  };
  for (const { requestBody } of all) visit(requestBody);
  return names;
}

const parametersIn = (place: 'path' | 'query', { parameters }: Operation) =>
  parameters.flatMap((found) => ('in' in found && found.in === place ? [found] : []));

const queryName = ({ operationId }: Operation): string =>
  `${operationId.replace(/^./, (letter) => letter.toUpperCase())}Query`;

function queryDeclaration(found: Operation): string[] {
  const fields = parametersIn('query', found).map(({ name, required, schema, description }) => {
    const type = typeOf(schema, { isInput: true });
    const about = comment({
      ...(description !== undefined && { description }),
      ...(schema.default !== undefined && { default: schema.default }),
    });
    return `${about}${propertyName(name)}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'};\n`;
  });
  return fields.length === 0 ? [] : [`export interface ${queryName(found)} ${block(fields)}\n`];
}

function signature(found: Operation): string {
  const path = parametersIn('path', found).map(({ name }) => `${name}: string;\n`);
  const query = parametersIn('query', found);
  const isNeeded = query.some(({ required }) => required);
  return `${found.operationId}: ${block([
    ...(path.length > 0 ? [`path: ${block(path)};\n`] : []),
    ...(query.length > 0 ? [`query${isNeeded ? '' : '?'}: ${queryName(found)};\n`] : []),
    ...bodyOf(found),
    `answer: ${answerOf(found)};\n`,
  ])};\n`;
}

function bodyOf({ requestBody }: Operation): string[] {
  if (!requestBody) return [];
  const json = typeOf(requestBody.content['application/json']?.schema ?? {}, { isInput: true });
  const form = requestBody.content['multipart/form-data'] ? ' | FormData' : '';
  return [`body${requestBody.required ? '' : '?'}: ${json}${form};\n`];
}

function answerOf({ operationId, responses }: Operation): string {
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const found = success?.[1].content?.['application/json'];
  if (!found) throw new Error(`${operationId} answers no JSON`);
  return typeOf(found.schema, { isInput: false });
}

function entryOf(found: Operation & { readonly method: string; readonly path: string }): string {
  const taken = found.parameters.flatMap((header) =>
    '$ref' in header ? (words[header.$ref.replace('#/components/parameters/', '')] ?? []) : [],
  );
  return [found.method, found.path, ...taken, ...(found.security.length === 0 ? ['public'] : [])].join(' ');
}
