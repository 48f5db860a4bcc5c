import type { Request, Response } from 'express';
import express from 'express';
import { assertJsonLimits } from '../input/json-limits.ts';
import { DomainError } from '../runtime/errors.ts';
import { limitKeyOf } from './authenticate.ts';

/** A megabyte of content takes up to six in JSON if every byte is escaped. A longer body cannot be valid. */
const BODY_MAX_BYTES = 6 * 1_048_576 + 65_536;

/** Body bytes that one account may have in flight: the total over its requests that are not answered yet. */
const IN_FLIGHT_MAX_BYTES = 32 * 1_048_576;

const inFlightBytes = new Map<string, number>();

/**
 * Counts a body until its request is answered. Throws `rate_limit_exceeded` if the account has too much in flight.
 */
function reserveBodyBytes(req: Request, res: Response, maxBytes: number): void {
  const isUncompressed = req.headers['content-encoding'] === undefined;
  const declaredBytes = Number(
    req.headers['content-length'] ?? (req.headers['transfer-encoding'] ? maxBytes : 0),
  );
  const bytes = Math.min(isUncompressed ? declaredBytes : maxBytes, maxBytes);
  const limitKey = limitKeyOf(req);
  const before = inFlightBytes.get(limitKey) ?? 0;
  if (before + bytes > IN_FLIGHT_MAX_BYTES) {
    const message = 'this account has too many large requests in flight: wait for their responses first';
    throw new DomainError('rate_limit_exceeded', message, { retryAfter: 1 });
  }
  inFlightBytes.set(limitKey, before + bytes);
  res.once('close', () => {
    const remaining = (inFlightBytes.get(limitKey) ?? 0) - bytes;
    if (remaining > 0) inFlightBytes.set(limitKey, remaining);
    else inFlightBytes.delete(limitKey);
  });
}

/**
 * Returns a reader for bodies of any type, up to `maxBytes`; it resolves to an empty buffer if a request has no body.
 * The reader rejects with `rate_limit_exceeded` while the account has too many body bytes in flight.
 */
export function createBytesReader(maxBytes: number): (req: Request, res: Response) => Promise<Buffer> {
  const readRaw = express.raw({ type: () => true, limit: maxBytes });
  return async (req, res) => {
    reserveBodyBytes(req, res, maxBytes);
    await new Promise<void>((resolve, reject) => {
      readRaw(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
    });
    return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
  };
}

const readBytes = createBytesReader(BODY_MAX_BYTES);

/** What a request's body says. */
export interface SentBody {
  /** The value to validate; undefined if there is no body. */
  readonly body: unknown;
  /** The names of the form's fields, if the body is a form. */
  readonly formFields?: readonly string[];
}

/** The request's JSON body; undefined if it has none. Rejects with `bad_request` or `unsupported_media_type`. */
export const readJson = async (req: Request, res: Response): Promise<unknown> =>
  parseJsonBody(req, await readBytes(req, res));

/** A longer body that nothing reads is not looked into. */
const UNUSED_MAX_BYTES = 65_536;

const readFewBytes = createBytesReader(UNUSED_MAX_BYTES);

/**
 * The body of a request that takes none: undefined if there is none, null if it is no JSON, or too long. Never rejects
 * because of what the body is.
 */
export async function readUnusedBody(req: Request, res: Response): Promise<unknown> {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = req.headers;
  if (length === '0' && encoding === undefined) return undefined;
  if (Number(length) > UNUSED_MAX_BYTES || encoding !== undefined) return null;
  try {
    return parseJsonBody(req, await readFewBytes(req, res));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'rate_limit_exceeded') throw error;
    return null;
  }
}

/** Parses a request body as JSON; undefined if it is empty. Throws `bad_request` or `unsupported_media_type`. */
export function parseJsonBody(req: Request, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!req.is(['json', '+json'])) {
    throw new DomainError(
      'unsupported_media_type',
      'the body must be JSON: send Content-Type: application/json',
    );
  }
  assertJsonLimits(bytes);
  return parseJson(bytes);
}

function parseJson(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DomainError('bad_request', `the body is not valid JSON: ${parserMessage(error)}`);
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError('bad_request', 'the body is not valid UTF-8');
  }
}

/** The parser's message without the source text that it quotes, which may be long. */
const parserMessage = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/, ?(\.\.\.)?".*$/s, '') : 'it cannot be parsed';
