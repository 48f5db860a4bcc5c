import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import send from 'send';
import { contentTypeOf } from '../../generator/edge/content-type.ts';
import { sitePath } from '../../generator/edge/edge.ts';
import { blogSlugPattern } from '../domain/slug.ts';

export interface BlogHosts {
  /** Answers a request to a blog's host from the files of the edge. False for a request to another host. */
  handle(req: IncomingMessage, res: ServerResponse): boolean;
}

const NO_BLOG =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Not found</title><h1>There is no blog here</h1></html>\n';

/** Files whose names tell their content. */
const hashed = /\/og\/[0-9a-f]+\.png$/;

export interface BlogHostsOptions {
  readonly edgeDir: string;
  readonly blogHost: string;
  /** The `Content-Security-Policy` of pages. */
  readonly policy: string;
}

/** Serves every blog at `<slug>.<blog host>` from the folder of a filesystem edge, without the API or a database. */
export function createBlogHosts({ edgeDir, blogHost, policy }: BlogHostsOptions): BlogHosts {
  const suffix = `.${withoutPort(blogHost)}`;
  return {
    handle(req, res) {
      const host = withoutPort(req.headers.host ?? '');
      if (!host.endsWith(suffix)) return false;
      res.setHeader('X-Content-Type-Options', 'nosniff');
      res.setHeader('Referrer-Policy', 'strict-origin-when-cross-origin');
      res.setHeader('Content-Security-Policy', policy);
      const slug = host.slice(0, -suffix.length);
      if (req.method !== 'GET' && req.method !== 'HEAD') refuseMethod(res);
      else if (!blogSlugPattern.test(slug)) answerHtml(req, res, 404, NO_BLOG);
      else serveFile(join(edgeDir, sitePath(slug, '')), req, res);
      return true;
    },
  };
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
