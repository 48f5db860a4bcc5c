import type { Request, Response } from 'express';
import express from 'express';
import { DomainError } from '../domain/errors.ts';

/**
 * A megabyte of content may take six in JSON, where every byte is written as an escape. What is longer
 * than this cannot be valid; its end is read only to be thrown away.
 */
const BODY_MAX_BYTES = 6 * 1_048_576 + 65_536;

/** Reads bodies of any type, of up to so many bytes; empty where a request has none. */
export function bytesReader(maxBytes: number): (req: Request, res: Response) => Promise<Buffer> {
  const readRaw = express.raw({ type: () => true, limit: maxBytes });
  return async (req, res) => {
    await new Promise<void>((resolve, reject) => {
      readRaw(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
    });
    return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
  };
}

const readBytes = bytesReader(BODY_MAX_BYTES);

/** The request's JSON body; undefined where it has none. Throws `bad_request` or `unsupported_media_type`. */
export const readJson = async (req: Request, res: Response): Promise<unknown> =>
  jsonFrom(req, await readBytes(req, res));

/** The JSON that a request's body is. */
export function jsonFrom(req: Request, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!req.is(['json', '+json'])) {
    throw new DomainError(
      'unsupported_media_type',
      'the body must be JSON: send Content-Type: application/json',
    );
  }
  return parse(bytes);
}

function parse(bytes: Buffer): unknown {
  const text = decode(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DomainError('bad_request', `the body is not valid JSON: ${reasonOf(error)}`);
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError('bad_request', 'the body is not valid UTF-8');
  }
}

/** The parser quotes the text around the mistake, which may be long; its first words tell what is wrong. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/, ?(\.\.\.)?".*$/s, '') : 'it cannot be parsed';
