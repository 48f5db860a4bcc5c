import type { IncomingMessage, ServerResponse } from 'node:http';
import { headersFor, parseHeaderRules } from '../../generator/edge/header-rules.ts';
import { hostOf, normaliseHostname } from '../http/host.ts';
import type { HostRouter } from '../http/server.ts';

/** Handles requests to blog hosts. */
export interface BlogHosts {
  /** Responds if the host belongs to a blog or is a subdomain of the blog host; otherwise calls `next`. */
  handle(hostname: string, req: IncomingMessage, res: ServerResponse, next: () => void): void;
}

export interface HostRouterOptions {
  /** Host names of the API. IP addresses and `localhost` always count as such. */
  readonly apiHosts: readonly string[];
  readonly blogHosts: BlogHosts;
  /** Headers of error responses, in the format of `_headers`. */
  readonly headers: string;
}

/** Routes a request by its host: to the API, to a blog, or to an error response. */
export function createHostRouter({ apiHosts, blogHosts, headers }: HostRouterOptions): HostRouter {
  const apiHostSet = new Set(['localhost', ...apiHosts.map(normaliseHostname)]);
  const refusalHeaders = headersFor(parseHeaderRules(headers), '/');
  return {
    handle(req, res, next) {
      const host = hostOf(req);
      if (host.kind === 'malformed') return refuse(req, res, 400, refusalHeaders);
      if (host.kind === 'address' || apiHostSet.has(host.name)) return next();
      blogHosts.handle(host.name, req, res, () => refuse(req, res, 421, refusalHeaders));
    },
  };
}

const errorTexts = {
  400: 'The Host header of this request is missing or malformed: send one host name or IP address, with or without a port.\n',
  421:
    'This server does not serve that host name. If you run it, set PLATEN_PUBLIC_URL (for the API) or PLATEN_BLOG_HOST ' +
    '(for blogs) to the name that you use.\n',
};

function refuse(
  req: IncomingMessage,
  res: ServerResponse,
  status: keyof typeof errorTexts,
  headers: ReadonlyMap<string, string>,
): void {
  const text = errorTexts[status];
  const own = [
    ...['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(Buffer.byteLength(text))],
    ...['Cache-Control', 'no-store'],
    // A client that sends a malformed host may delimit requests differently (request smuggling).
    ...(status === 400 ? ['Connection', 'close'] : []),
  ];
  res.writeHead(status, [...[...headers].flat(), ...own]).end(req.method === 'HEAD' ? undefined : text);
}
