import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { Idempotency, RunOnce } from '../journal/idempotency.ts';
import { DomainError } from '../runtime/errors.ts';
import { callerOf } from './authenticate.ts';

const MAX_KEY = 255;

/**
 * Runs the writes of a request, each once if it has an `Idempotency-Key`. If the same request comes again within a
 * day, with the same credential, it gets the stored result, and `wasDone` is true. `blogId` is the blog that the
 * request acts on. Rejects with `bad_request` if the key is empty or too long.
 */
export async function runIdempotent<T>(
  idempotency: Idempotency,
  { req, body, blogId }: { req: Request; body: unknown; blogId: string | null },
  work: (once: RunOnce) => Promise<T>,
): Promise<{ result: T; wasDone: boolean }> {
  const key = req.get('Idempotency-Key');
  if (key === undefined) return { result: await work((write) => write()), wasDone: false };
  if (key === '' || key.length > MAX_KEY) {
    throw new DomainError('bad_request', `Idempotency-Key: must be 1 to ${MAX_KEY} characters`);
  }
  const { accountId, credentialId } = callerOf(req);
  const fingerprint = fingerprintOf(req, body, blogId);
  // Session tokens change every few minutes, so all sessions of an account count as one credential.
  const request = { accountId, credential: credentialId ?? 'session', key, fingerprint };
  return idempotency.run(request, work);
}

function fingerprintOf(req: Request, body: unknown, blogId: string | null): string {
  const hash = createHash('sha256').update(`${req.method} ${req.originalUrl} ${blogId ?? ''}\n`);
  // Clients choose a new multipart boundary for every request, so a form's bytes never repeat.
  const isForm = typeof req.is('multipart/form-data') === 'string';
  return hash.update(isForm ? JSON.stringify(body) : rawBodyOf(req)).digest('hex');
}

const rawBodyOf = (req: Request): Uint8Array => (req.body instanceof Uint8Array ? req.body : Buffer.alloc(0));
