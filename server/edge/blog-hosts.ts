import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';
import { hostFilePath } from '../../generator/addresses.ts';
import { REVALIDATE } from '../../generator/edge/cache-control.ts';
import { headersFor, parseHeaderRules } from '../../generator/edge/header-rules.ts';
import { sitePath } from '../../generator/edge-paths.ts';
import { blogSlugPattern } from '../addresses/slug.ts';
import { currentTick } from '../runtime/event-loop-tick.ts';
import type { Log } from '../runtime/log.ts';
import { createBlogFolders } from './blog-folders.ts';
import { createFileCache } from './file-cache.ts';
import { respondWithBytes } from './file-response.ts';
import type { BlogHosts } from './host-router.ts';
import { createErrorPages, respondMethodNotAllowed } from './plain-responses.ts';
import { normalisePath, targetOf } from './request-path.ts';
import { createTickCache } from './tick-cache.ts';

export interface BlogHostsOptions {
  readonly edgeDir: string;
  /** Host name whose subdomains are the blogs. */
  readonly blogHost: string;
  /** Default headers in the format of `_headers`, for blogs without that file. */
  readonly headers: string;
  /** URL of the server, without a trailing slash, which error pages link to. */
  readonly publicUrl: string;
  readonly log: Pick<Log, 'error'>;
}

/**
 * Serves every blog at `<slug>.<blog host>`, or at its own domain, from a filesystem edge. It uses neither the API
 * nor the database.
 */
export function createBlogHosts({ edgeDir, blogHost, headers, publicUrl, log }: BlogHostsOptions): BlogHosts {
  const suffix = `.${blogHost}`;
  const defaultRules = parseHeaderRules(headers);
  const tickCache = createTickCache();
  const respondWithHtml = createErrorPages(publicUrl);
  const folders = createBlogFolders({ defaultRules, tickCache, respondWithHtml });
  const folderOf = (slug: string) => join(edgeDir, sitePath(slug, '.'));
  const hosts = createFileCache({
    maxBytes: HOST_CACHE_BYTES,
    maxFileBytes: HOST_FILE_MAX_BYTES,
    derive: ({ bytes }) => parseHostFile(bytes.toString('utf8'), folderOf),
  });

  async function serve(hostname: string, req: IncomingMessage, res: ServerResponse, next: () => void) {
    const tick = currentTick();
    const host = await hosts.get(join(edgeDir, hostFilePath(hostname)));
    if (typeof host === 'object') {
      return host.hostname === hostname
        ? folders.serve(host.folder, tick, req, res)
        : redirectToCanonical(host.url, req, res);
    }
    if (hostname !== blogHost && !hostname.endsWith(suffix)) return next();
    // A blog whose host files were never built is served by its slug.
    const slug = hostname === blogHost ? '' : hostname.slice(0, -suffix.length);
    if (blogSlugPattern.test(slug)) return folders.serve(folderOf(slug), tick, req, res);
    const { path } = targetOf(req);
    const own = headersFor(defaultRules, normalisePath(path) ?? path);
    if (req.method === 'GET' || req.method === 'HEAD') respondWithHtml(req, res, 404, own);
    else respondMethodNotAllowed(res, own);
  }

  return {
    handle(hostname, req, res, next) {
      const cached = tickCache.find(req);
      if (cached) return respondWithBytes(req, res, cached.answer, cached.bytes);
      serve(hostname, req, res, next).catch((error: unknown) => {
        log.error(
          { err: error, method: req.method, host: hostname, path: targetOf(req).path },
          'page not served',
        );
        if (res.headersSent) res.destroy();
        else respondWithHtml(req, res, 500, headersFor(defaultRules, '/'));
      });
    },
  };
}

/** Cache budget for all host files, and the size limit of one, in bytes. */
const HOST_CACHE_BYTES = 8 * 1_048_576;
const HOST_FILE_MAX_BYTES = 4_096;

interface KnownHost {
  /** Absolute path of the blog's folder. */
  readonly folder: string;
  /** The blog's canonical URL and its host name. */
  readonly url: string;
  readonly hostname: string;
}

/** Content of a host file on the edge (`Host`). */
const HostFile = z.object({ blog: z.string().regex(blogSlugPattern), url: z.url() });

function parseHostFile(text: string, folderOf: (slug: string) => string): KnownHost | null {
  try {
    const { blog, url } = HostFile.parse(JSON.parse(text));
    return { folder: folderOf(blog), url, hostname: new URL(url).hostname };
  } catch {
    return null;
  }
}

/** Redirects to the same path at the canonical URL. Must be revalidated: a blog may return to its former host. */
function redirectToCanonical(url: string, req: IncomingMessage, res: ServerResponse): void {
  const { path, query } = targetOf(req);
  const location = `${url}${path.replace(/^[/\\]+/, '')}${query}`;
  res.writeHead(301, { Location: location, 'Cache-Control': REVALIDATE }).end();
}
