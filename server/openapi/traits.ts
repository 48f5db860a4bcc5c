import type { Endpoint } from '../http/endpoint.ts';
import { mentions } from './json-schema.ts';

/** What an operation can do beside its own work. It follows from what its endpoint declares. */
export interface Traits {
  /** Can wait until readers have what it writes. */
  readonly waits: boolean;
  /** Is carried out once for each `Idempotency-Key`. */
  readonly once: boolean;
  /** Changes something that has an entity tag. */
  readonly ifMatch: boolean;
  /** Reads something that has an entity tag. */
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
