import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import type { Request, Response } from 'express';
import { DomainError } from '../domain/errors.ts';
import type { Answers } from '../services/answers.ts';

const KEY_MAX = 255;

/**
 * Answers a request that carries an `Idempotency-Key` once: who sends the same again within a day gets the same
 * answer, and nothing is done a second time. `answer` carries the request out and returns the body to send.
 */
export async function answerOnce(
  answers: Answers,
  { req, res, accountId, body }: { req: Request; res: Response; accountId: string; body: unknown },
  answer: () => Promise<object>,
): Promise<object> {
  const key = req.get('Idempotency-Key');
  if (key === undefined) return answer();
  if (key === '' || key.length > KEY_MAX) {
    throw new DomainError('bad_request', `Idempotency-Key: must be 1 to ${KEY_MAX} characters`);
  }
  const kept = await answers.find(accountId, key, fingerprintOf(req, body));
  if (kept) {
    res.set({ ...kept.headers, 'Idempotency-Replayed': 'true' }).status(kept.status);
    return Object(kept.body);
  }
  try {
    const given = await answer();
    await answers.keep(accountId, key, { status: res.statusCode, headers: keptHeaders(res), body: given });
    return given;
  } catch (error) {
    await answers.forget(accountId, key);
    throw error;
  }
}

/** What was asked: the operation, the blog, and the body as it was understood. */
const fingerprintOf = (req: Request, body: unknown): string =>
  createHash('sha256')
    .update(`${req.method} ${req.originalUrl} ${req.get('X-Blog-Id') ?? ''}\n`)
    .update(serialize(body))
    .digest('hex');

const keptHeaders = (res: Response): Record<string, string> =>
  Object.fromEntries(
    ['Location', 'ETag'].flatMap((name) => (res.hasHeader(name) ? [[name, String(res.get(name))]] : [])),
  );
