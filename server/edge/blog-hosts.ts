import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';
import { MUST_ASK } from '../../generator/edge/cache-control.ts';
import { sitePath } from '../../generator/edge/edge.ts';
import { headersFor, parseHeaderRules } from '../../generator/edge/header-rules.ts';
import { hostPath } from '../../generator/page.ts';
import { blogSlugPattern } from '../addresses/slug.ts';
import { thisTurn } from '../runtime/event-loop-tick.ts';
import type { Log } from '../runtime/log.ts';
import { answerWithBytes } from './answer.ts';
import { createBlogFolders } from './blog-folders.ts';
import { createFreshFiles } from './fresh-files.ts';
import type { BlogHosts } from './host-router.ts';
import { meantPath, targetOf } from './page-path.ts';
import { answerHtml, refuseMethod } from './plain-answers.ts';
import { createSameTurn } from './same-tick.ts';

export interface BlogHostsOptions {
  readonly edgeDir: string;
  /** Host name whose subdomains are the blogs. */
  readonly blogHost: string;
  /** Default headers in the format of `_headers`, for blogs without that file. */
  readonly headers: string;
  readonly log: Pick<Log, 'error'>;
}

/**
 * Serves every blog at `<slug>.<blog host>`, or at its own domain, from a filesystem edge. It uses neither the API nor
 * the database.
 */
export function createBlogHosts({ edgeDir, blogHost, headers, log }: BlogHostsOptions): BlogHosts {
  const suffix = `.${blogHost}`;
  const plain = parseHeaderRules(headers);
  const sameTurn = createSameTurn();
  const folders = createBlogFolders({ plain, sameTurn });
  const folderOf = (slug: string) => join(edgeDir, sitePath(slug, '.'));
  const hosts = createFreshFiles({
    maxBytes: HOSTS_BYTES,
    maxFileBytes: HOST_BYTES,
    make: ({ bytes }) => readHost(bytes.toString('utf8'), folderOf),
  });

  async function answer(hostname: string, req: IncomingMessage, res: ServerResponse, next: () => void) {
    const turn = thisTurn();
    const host = await hosts.get(join(edgeDir, hostPath(hostname)));
    if (typeof host === 'object') {
      return host.hostname === hostname
        ? folders.serve(host.folder, turn, req, res)
        : lead(host.url, req, res);
    }
    if (!hostname.endsWith(suffix)) return next();
    // A blog whose host files were never built is served by its slug.
    const slug = hostname.slice(0, -suffix.length);
    if (blogSlugPattern.test(slug)) return folders.serve(folderOf(slug), turn, req, res);
    const { path } = targetOf(req);
    const own = headersFor(plain, meantPath(path) ?? path);
    if (req.method === 'GET' || req.method === 'HEAD') answerHtml(req, res, 404, own);
    else refuseMethod(res, own);
  }

  return {
    handle(hostname, req, res, next) {
      const ready = sameTurn.find(req);
      if (ready) return answerWithBytes(req, res, ready.answer, ready.bytes);
      answer(hostname, req, res, next).catch((error: unknown) => {
        log.error(
          { err: error, method: req.method, host: hostname, path: targetOf(req).path },
          'page not served',
        );
        if (res.headersSent) res.destroy();
        else answerHtml(req, res, 500, headersFor(plain, '/'));
      });
    },
  };
}

/** Cache budget for all host files, and the size limit of one, in bytes. */
const HOSTS_BYTES = 8 * 1_048_576;
const HOST_BYTES = 4_096;

interface KnownHost {
  /** Absolute path of the blog's folder. */
  readonly folder: string;
  /** The blog's canonical URL and its host name. */
  readonly url: string;
  readonly hostname: string;
}

/** Content of a host file on the edge (`Host`). */
const HostFile = z.object({ blog: z.string().regex(blogSlugPattern), url: z.url() });

function readHost(text: string, folderOf: (slug: string) => string): KnownHost | null {
  try {
    const { blog, url } = HostFile.parse(JSON.parse(text));
    return { folder: folderOf(blog), url, hostname: new URL(url).hostname };
  } catch {
    return null;
  }
}

/** Redirects to the same path at the canonical URL. Must be revalidated: a blog may return to its former host. */
function lead(url: string, req: IncomingMessage, res: ServerResponse): void {
  const { path, query } = targetOf(req);
  const location = `${url}${path.replace(/^[/\\]+/, '')}${query}`;
  res.writeHead(301, { Location: location, 'Cache-Control': MUST_ASK }).end();
}
