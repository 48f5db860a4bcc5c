import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { endpoints } from '../../server/app.ts';
import type { Services } from '../../server/compose.ts';
import { createDocument } from '../../server/openapi/document.ts';
import type { Answer } from './platen.ts';

/** What the OpenAPI document promises, as something that answers can be held against. */
export interface Contract {
  readonly operations: readonly Operation[];
  /** Everything in which an answer differs from what is documented. `path`: below `/v1`, with its query. */
  differences(method: string, path: string, answer: Answer): string[];
  /** Everything in which a value differs from a schema of the document. */
  violations(schema: Schema, value: unknown): string[];
}

export interface Operation {
  readonly method: string;
  /** As the document writes it: `/posts/{slug}` */
  readonly path: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface DocumentedResponse {
  readonly headers: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>;
  readonly content?: Content;
}

export type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
export type Schema = Readonly<Record<string, unknown>>;

/** Headers of every server, which the document need not name. */
const ordinary =
  /^(?:access-control-.*|allow|cache-control|connection|content-(?:encoding|length|security-policy|type)|cross-origin-.*|date|keep-alive|origin-agent-cluster|referrer-policy|strict-transport-security|transfer-encoding|vary|x-(?:content-type-options|dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies|xss-protection))$/;

let kept: Contract | undefined;

/** The contract of the API. It is the same for every Platen, so one is made for all tests of a file. */
export function contractOf(services: Services): Contract {
  kept ??= createContract(createDocument(endpoints(services), services.config));
  return kept;
}

/** Reads a document. Its references are followed; objects may hold nothing that their schema does not name. */
export function createContract(document: object): Contract {
  const source: unknown = JSON.parse(JSON.stringify(document));
  const ajv = new Ajv({ strict: true, allErrors: true, keywords: ['example'] });
  addFormats.default(ajv);
  ajv.addSchema({ components: closed(at(source, ['components'])) }, 'api');
  const compiled = new Map<Schema, ValidateFunction>();
  const violations = (schema: Schema, value: unknown): string[] => {
    const validate = compiled.get(schema) ?? ajv.compile(toApi(closed(schema)));
    compiled.set(schema, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
  const operations = operationsOf(source);
  return {
    operations,
    violations,
    differences(method, path, answer) {
      const operation = operationAt(operations, method, path);
      if (!operation) return differencesWhereNothingIs(operations, answer);
      const documented = operation.responses[answer.status];
      if (!documented) return [`status ${answer.status} is not documented`];
      return [
        ...headerDifferences(documented, answer, violations),
        ...(method === 'HEAD' ? [] : bodyDifferences(documented, answer, violations)),
      ];
    },
  };
}
