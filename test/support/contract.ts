import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { endpoints } from '../../server/app.ts';
import type { Services } from '../../server/compose.ts';
import { createDocument } from '../../server/openapi/document.ts';
import type { Answer } from './platen.ts';

const schema = z.record(z.string(), z.unknown());
const content = z.record(z.string(), z.object({ schema, example: z.unknown().optional() }));
const headers = z.record(z.string(), z.object({ required: z.boolean().default(false), schema }));
const response = z.object({ headers, content: content.optional() });
const operation = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  summary: z.string(),
  security: z.array(z.object({ apiKey: z.tuple([]) })),
  parameters: z.array(z.object({ name: z.string(), in: z.enum(['path', 'query', 'header']), schema })),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), response),
});

/** The parts of an OpenAPI document that the check reads, with all references resolved. */
const documentShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), schema), headers }),
});

export type Schema = z.infer<typeof schema>;
type DocumentedResponse = z.infer<typeof response>;

export interface Operation extends z.infer<typeof operation> {
  readonly method: string;
  /** As in the document: `/posts/{slug}` */
  readonly path: string;
}

/** An OpenAPI document against which responses can be checked. */
export interface Contract {
  readonly operations: readonly Operation[];
  /** Differences between a response and its documentation. `path`: below `/v1`, with its query. */
  differences(method: string, path: string, answer: Answer): string[];
  /** Violations of a schema of the document by a value. */
  violations(schema: Schema, value: unknown): string[];
}

let kept: Contract | undefined;

/** The contract of the API. It is the same for every Platen, so all tests of a file share one. */
export function contractOf(services: Services): Contract {
  kept ??= createContract(createDocument(endpoints(services), services.config));
  return kept;
}

export function createContract(document: object): Contract {
  const { paths, components } = documentShape.parse(closed(merged(dereferenced(document, document))));
  const violations = createValidator();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) => ({ ...found, method: method.toUpperCase(), path })),
  );
  // For every path and method, a refusal has the same format and is counted.
  const refusal: DocumentedResponse = {
    headers: Object.fromEntries(
      Object.entries(components.headers).filter(([name]) => /^X-RateLimit/.test(name)),
    ),
    content: { 'application/json': { schema: components.schemas.Error ?? {} } },
  };
  return {
    operations,
    violations,
    differences(method, path, answer) {
      const found = operationAt(operations, method, path);
      // Sent by the HTTP server itself, before the app runs.
      if (answer.status === 431) return [];
      if (!found && (method === 'OPTIONS' || method === 'HEAD')) return [];
      if (!found && ![404, 405, 429].includes(answer.status))
        return [`there is no operation ${method} ${path}`];
      const documented = found ? found.responses[answer.status] : refusal;
      if (!documented) return [`status ${answer.status} is not documented`];
      return [
        ...headerDifferences(documented, answer, violations),
        ...(method === 'HEAD' ? [] : bodyDifferences(documented, answer, violations)),
      ];
    },
  };
}

/** Replaces every reference by its target. */
function dereferenced(node: unknown, document: object): unknown {
  if (Array.isArray(node)) return node.map((entry) => dereferenced(entry, document));
  if (!isObject(node)) return node;
  if (typeof node.$ref === 'string') {
    const target = node.$ref
      .replace('#/', '')
      .split('/')
      .reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), document);
    if (target === undefined) throw new Error(`the document has nothing at ${node.$ref}`);
    return dereferenced(target, document);
  }
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, dereferenced(value, document)]),
  );
}

/** Makes one object schema of those that `allOf` joins, because a closed one would forbid what the others have. */
function merged(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(merged);
  if (!isObject(node)) return node;
  const parts = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, merged(value)]));
  if (!Array.isArray(parts.allOf)) return parts;
  const { allOf, ...rest } = parts;
  return {
    ...rest,
    type: 'object',
    properties: Object.assign({}, ...allOf.map(({ properties }) => properties)),
    required: allOf.flatMap(({ required = [] }) => required),
  };
}

/** Forbids properties that the schemas do not name: an undocumented one is our mistake. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (!isObject(node)) return node;
  const parts = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]));
  const isOpen = node.type === 'object' && isObject(node.properties) && !('additionalProperties' in node);
  return isOpen ? { ...parts, additionalProperties: false } : parts;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function createValidator(): Contract['violations'] {
  const ajv = new Ajv({ allErrors: true, keywords: ['example'] });
  addFormats.default(ajv);
  const compiled = new Map<Schema, ValidateFunction>();
  return (schema, value) => {
    const validate = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, validate);
    validate(value);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || 'the whole'} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** A literal path comes before one with a parameter in the same place. */
function operationAt(operations: readonly Operation[], method: string, path: string): Operation | undefined {
  const [, ...asked] = path
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '')
    .split('/');
  const matches = ({ path: template }: Operation) => {
    const [, ...segments] = template.split('/');
    const fits = (segment: string, at: number) =>
      segment === asked[at] || (segment.startsWith('{') && asked[at]);
    return segments.length === asked.length && segments.every(fits);
  };
  const variables = ({ path: template }: Operation) => template.split('{').length;
  return operations
    .filter((known) => known.method === (method === 'HEAD' ? 'GET' : method) && matches(known))
    .sort((a, b) => variables(a) - variables(b))[0];
}

/** Headers that are not specific to an operation: of HTTP itself, of browser security, of Express. */
const ordinary =
  /^(?:access-control-.*|allow|cache-control|connection|content-.*|cross-origin-.*|date|keep-alive|origin-agent-cluster|referrer-policy|strict-transport-security|transfer-encoding|vary|x-(?!ratelimit).*)$/;

function headerDifferences(
  documented: DocumentedResponse,
  { status, headers: given }: Answer,
  violations: Contract['violations'],
): string[] {
  const names = new Set(Object.keys(documented.headers).map((name) => name.toLowerCase()));
  const unknown = [...given.keys()].filter((name) => !names.has(name) && !ordinary.test(name));
  const wrong = Object.entries(documented.headers).flatMap(([name, { required, schema }]) => {
    const value = given.get(name);
    // An internal error may occur before the request is counted.
    if (value === null) return required && status < 500 ? [`the header ${name} is missing`] : [];
    const typed = schema.type === 'integer' ? Number(value) : value;
    return violations(schema, typed).map((violation) => `the header ${name}: ${violation}`);
  });
  return [...unknown.map((name) => `the header ${name} is not documented`), ...wrong];
}

function bodyDifferences(
  { content = {} }: DocumentedResponse,
  { headers: given, text, json }: Answer,
  violations: Contract['violations'],
): string[] {
  const type = given.get('content-type')?.split(';')[0] ?? 'none';
  if (Object.keys(content).length === 0)
    return text === '' ? [] : ['there is a body, and none is documented'];
  const documented = content[type];
  return documented ? violations(documented.schema, json) : [`the media type ${type} is not documented`];
}
