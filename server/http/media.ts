import { join } from 'node:path';
import type { RequestHandler, Response } from 'express';
import send from 'send';
import { contentTypeOf } from '../../generator/edge/content-type.ts';
import { DomainError } from '../domain/errors.ts';
import { mediaAddress } from '../domain/image.ts';

/** What a browser may do with an image that it is led to as a page: show it. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; sandbox";

/**
 * Serves uploaded images from the folder of a filesystem edge, to be mounted at `/media`. An address is never used
 * for another image, so it may be kept for ever; blogs of every host may embed it.
 */
export function serveMedia({ edgeDir }: { edgeDir: string }): RequestHandler {
  const root = join(edgeDir, 'media');
  return (req, res, next) => {
    res.set({
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'no-store',
    });
    const notFound = () => next(new DomainError('not_found', 'there is no such image'));
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuseMethod(req.method, res);
    if (!mediaAddress.test(req.path)) return notFound();
    send(req, req.path, { root, cacheControl: false })
      .on('headers', setFileHeaders)
      .on('error', (error: NodeJS.ErrnoException & { status?: number }) => {
        if (error.status === 404) notFound();
        else if (error.status === 412 || error.status === 416) res.status(error.status).end();
        else next(error);
      })
      .pipe(res);
  };
}

function setFileHeaders(res: Response, file: string): void {
  res.set('Content-Type', contentTypeOf(file));
  res.set('Cache-Control', 'public, max-age=31536000, immutable');
}

function refuseMethod(method: string, res: Response): void {
  res.set('Allow', 'GET, HEAD, OPTIONS');
  if (method !== 'OPTIONS') {
    throw new DomainError('method_not_allowed', `${method} is not allowed here: use GET or HEAD`);
  }
  res.status(204).end();
}
