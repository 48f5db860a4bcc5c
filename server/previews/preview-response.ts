import type { Request, Response } from 'express';
import { plainPage } from '../edge/plain-responses.ts';
import { DomainError } from '../runtime/errors.ts';

/** A preview is untrusted content on the API's host, so it runs no scripts and has an opaque origin. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src * data:; frame-src https://www.youtube-nocookie.com; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox";

export const previewHeaders = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cache-Control': 'private, no-store',
  'X-Robots-Tag': 'noindex, nofollow',
  'Referrer-Policy': 'no-referrer',
};

/**
 * People open preview links, so browsers get a page instead of an error object. For other clients and errors: rethrows.
 */
export function respondNotFound(req: Request, res: Response, error: unknown): void {
  const isGone = error instanceof DomainError && error.code === 'not_found';
  if (!isGone || req.accepts(['json', 'html']) !== 'html') throw error;
  res.status(404).set(previewHeaders).type('html');
  res.send(
    plainPage('Not found', 'This preview does not exist or has expired', 'Ask its author for a new link.'),
  );
}
