import type { Endpoint } from '../http/endpoint.ts';
import { mentions } from './json-schema.ts';

/** Cross-cutting features of an operation, derived from its endpoint. */
export interface Traits {
  /** Supports `Prefer: wait`. */
  readonly waits: boolean;
  /** Supports `Idempotency-Key`. */
  readonly once: boolean;
  /** Supports `If-Match`: it changes a resource that has an entity tag. */
  readonly ifMatch: boolean;
  /** Supports `If-None-Match`: it reads a resource that has an entity tag. */
  readonly ifNoneMatch: boolean;
}

export function traitsOf(endpoint: Endpoint, others: readonly Endpoint[]): Traits {
  const { method, path, response, etag } = endpoint;
  const isTagged = others.some((other) => other.path === path && other.etag);
  return {
    waits: method !== 'get' && (endpoint.waits ?? mentions(response, 'rebuild_id')),
    once: endpoint.once !== undefined,
    ifMatch: (method === 'put' || method === 'delete') && isTagged,
    ifNoneMatch: method === 'get' && etag !== undefined,
  };
}
