import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, posix } from 'node:path';
import compression from 'compression';
import send from 'send';
import { z } from 'zod';
import { contentTypeOf } from '../../generator/edge/content-type.ts';
import { sitePath } from '../../generator/edge/edge.ts';
import { headersFileIn, headersFor, parseHeaderRules } from '../../generator/edge/header-rules.ts';
import { hostPath } from '../../generator/page.ts';
import { blogSlugPattern } from '../domain/slug.ts';
import { createFreshFiles } from './fresh-files.ts';

export interface BlogHosts {
  /** Answers a request to a blog's host from the files of the edge, and leaves one to another host to `next`. */
  handle(req: IncomingMessage, res: ServerResponse, next: () => void): void;
}

const NO_BLOG =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Not found</title><h1>There is no blog here</h1></html>\n';

/** Files whose names tell their content. */
const hashed = /\/og\/[0-9a-f]+\.png$/;

export interface BlogHostsOptions {
  readonly edgeDir: string;
  readonly blogHost: string;
  /** Hosts that are no blog's. */
  readonly ownHosts: readonly string[];
  /** Headers as in a blog's own file of them, for where there is none. */
  readonly headers: string;
}

/**
 * Serves every blog at `<slug>.<blog host>`, or at its own domain, from the folder of a filesystem edge, without the
 * API or a database.
 */
export function createBlogHosts({ edgeDir, blogHost, ownHosts, headers }: BlogHostsOptions): BlogHosts {
  const suffix = `.${withoutPort(blogHost)}`;
  const plain = parseHeaderRules(headers);
  const findHeaders = createFreshFiles(parseHeaderRules);
  const findHost = createFreshFiles((text) => HostFile.parse(JSON.parse(text)));

  async function serve(slug: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const root = join(edgeDir, sitePath(slug, ''));
    const path = pathOf(req);
    setHeaders(res, headersFor((await findHeaders(headersFileIn(root))) ?? plain, path));
    if (!isRead(req)) refuseMethod(res);
    else if (join(root, path.toLowerCase()) === headersFileIn(root)) serveNotFound(root, req, res);
    // A part of a file is a part of its own bytes.
    else if (req.headers.range !== undefined) serveFile(root, req, res);
    else middleware.compress(req, res, () => serveFile(root, req, res));
  }

  async function answer(hostname: string, req: IncomingMessage, res: ServerResponse, next: () => void) {
    const host = hostnamePattern.test(hostname) ? await findHost(join(edgeDir, hostPath(hostname))) : null;
    if (host) {
      if (new URL(host.url).hostname === hostname) return serve(host.blog, req, res);
      return lead(host.url, req, res);
    }
    if (!hostname.endsWith(suffix)) return next();
    // A blog that has never been pressed with its hosts is served by its name.
    const slug = hostname.slice(0, -suffix.length);
    if (blogSlugPattern.test(slug)) return serve(slug, req, res);
    setHeaders(res, headersFor(plain, pathOf(req)));
    if (isRead(req)) answerHtml(req, res, 404, NO_BLOG);
    else refuseMethod(res);
  }

  return {
    handle(req, res, next) {
      const hostname = withoutPort(req.headers.host ?? '');
      if (ownHosts.includes(hostname)) next();
      else answer(hostname, req, res, next).catch(() => res.destroy());
    },
  };
}

/** Made for Express, of which it needs no more than Node has. */
const middleware: { compress(req: IncomingMessage, res: ServerResponse, next: () => void): void } = {
  compress: compression(),
};

/** What the edge knows of a host name: `Host`. */
const HostFile = z.object({ blog: z.string().regex(blogSlugPattern), url: z.url() });

const hostnamePattern = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/** Leads to the same path where the blog is now. */
function lead(url: string, req: IncomingMessage, res: ServerResponse): void {
  const { path, query } = targetOf(req);
  const location = `${url}${path.replace(/^[/\\]+/, '')}${query}`;
  res.writeHead(301, { Location: location, 'Cache-Control': 'public, max-age=3600' }).end();
}

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

function setHeaders(res: ServerResponse, headers: ReadonlyMap<string, string>): void {
  for (const [name, value] of headers) res.setHeader(name, value);
}

/** The path that a file is looked for at: decoded, and without detours. */
function pathOf(req: IncomingMessage): string {
  const { path } = targetOf(req);
  try {
    return posix.normalize(`/${decodeURIComponent(path)}`);
  } catch {
    return path;
  }
}

const withoutPort = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

function serveFile(root: string, req: IncomingMessage, res: ServerResponse): void {
  const { path, query } = targetOf(req);
  send(req, path, { root, dotfiles: 'ignore', cacheControl: false })
    .on('headers', setFileHeaders)
    .on('directory', () => {
      // The folder of a post without the slash at its end. Never two slashes at the start: that is another host.
      res.writeHead(301, { Location: `/${path.replace(/^[/\\]+/, '')}/${query}` }).end();
    })
    .on('error', (error: NodeJS.ErrnoException & { status?: number }) => {
      if (error.status === 412 || error.status === 416) res.writeHead(error.status).end();
      else if ((error.status ?? 500) >= 500) answerHtml(req, res, 500, NO_BLOG);
      else serveNotFound(root, req, res);
    })
    .pipe(res);
}

/** A proxy may send the whole address where others send the path (RFC 9112, section 3.2.2). */
function targetOf({ url = '/' }: IncomingMessage): { path: string; query: string } {
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = target.search(/[?#]/);
  return end < 0
    ? { path: target || '/', query: '' }
    : { path: target.slice(0, end) || '/', query: target.slice(end) };
}

/** The blog's own page for what it does not have, whatever is not right with the address. */
function serveNotFound(root: string, req: IncomingMessage, res: ServerResponse): void {
  res.statusCode = 404;
  send(req, '/404.html', { root, cacheControl: false, etag: false, lastModified: false, acceptRanges: false })
    .on('headers', setFileHeaders)
    .on('error', () => answerHtml(req, res, 404, NO_BLOG))
    .pipe(res);
}

function setFileHeaders(res: ServerResponse, file: string): void {
  res.setHeader('Content-Type', contentTypeOf(file));
  const forEver = hashed.test(file) && res.statusCode === 200;
  res.setHeader(
    'Cache-Control',
    forEver ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate',
  );
}

function refuseMethod(res: ServerResponse): void {
  res.writeHead(405, { Allow: 'GET, HEAD', 'Content-Type': 'text/plain; charset=utf-8' });
  res.end('A blog is read with GET or HEAD.\n');
}

function answerHtml(req: IncomingMessage, res: ServerResponse, status: number, html: string): void {
  res.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
  });
  res.end(req.method === 'HEAD' ? undefined : html);
}
