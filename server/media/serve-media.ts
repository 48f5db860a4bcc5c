import { join } from 'node:path';
import type { RequestHandler, Response } from 'express';
import { IMMUTABLE } from '../../generator/edge/cache-control.ts';
import { contentTypeOf } from '../../generator/edge/content-type.ts';
import { fileHeaders, validatorsOf } from '../edge/file-headers.ts';
import { respondWithFile } from '../edge/file-response.ts';
import { openFile } from '../edge/open-file.ts';
import { mediaAddressPattern } from '../image-processing/image.ts';
import { DomainError } from '../runtime/errors.ts';

/** Applies if a browser opens an image as a page: the browser may only show it. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; sandbox";

/**
 * Serves uploaded images from a filesystem edge; mount it at `/media`. A URL is never reused for another image, so it
 * is cached for ever; blogs on every host may embed it.
 */
export function serveMedia(edgeDir: string): RequestHandler {
  const root = join(edgeDir, 'media');
  return async (req, res, next) => {
    res.set({
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'no-store',
    });
    const notFound = () => next(new DomainError('not_found', 'there is no such image'));
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuseMethod(req.method, res);
    if (!mediaAddressPattern.test(req.path)) return notFound();
    const path = join(root, req.path);
    const file = await openFile(path);
    if (typeof file === 'string') return notFound();
    const size = file.stats.size;
    const validators = validatorsOf(file.stats);
    const headers = fileHeaders({ type: contentTypeOf(path), cacheControl: IMMUTABLE, validators, size });
    await respondWithFile(req, res, { ...validators, size, headers }, { file });
  };
}

/**
 * Redirects image requests to `mediaUrl` if images are served elsewhere: others may have linked to the URLs from the
 * time when this server served images.
 */
export function redirectToMedia({
  mediaUrl,
  publicUrl,
}: Record<'mediaUrl' | 'publicUrl', string>): RequestHandler {
  const isServedHere = mediaUrl === `${publicUrl}/media`;
  return (req, res, next) => {
    if (isServedHere || !mediaAddressPattern.test(req.path)) return next();
    res.set('Cache-Control', 'public, max-age=0').redirect(301, mediaUrl + req.path);
  };
}

function refuseMethod(method: string, res: Response): void {
  res.set('Allow', 'GET, HEAD, OPTIONS');
  if (method !== 'OPTIONS') {
    throw new DomainError('method_not_allowed', `${method} is not allowed here: use GET or HEAD`);
  }
  res.status(204).end();
}
