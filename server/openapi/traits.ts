import type { Endpoint } from '../http/endpoint.ts';
import { hasField } from './json-schema.ts';

/** Cross-cutting features of an operation, derived from its endpoint. */
export interface OperationTraits {
  /** Supports `Prefer: wait`. */
  readonly supportsWait: boolean;
  /** Supports `Idempotency-Key`. */
  readonly isIdempotent: boolean;
  /** Supports `If-Match`: it changes a resource that has an entity tag. */
  readonly supportsIfMatch: boolean;
  /** Supports `If-None-Match`: it reads a resource that has an entity tag. */
  readonly supportsIfNoneMatch: boolean;
}

export function traitsOf(endpoint: Endpoint, allEndpoints: readonly Endpoint[]): OperationTraits {
  const { method, path, response, etag } = endpoint;
  const isTagged = allEndpoints.some((other) => other.path === path && other.etag);
  return {
    supportsWait: method !== 'get' && (endpoint.waitsForEdge ?? hasField(response, 'rebuild_id')),
    isIdempotent: endpoint.idempotent !== undefined,
    supportsIfMatch: (method === 'put' || method === 'delete') && isTagged,
    supportsIfNoneMatch: method === 'get' && etag !== undefined,
  };
}
