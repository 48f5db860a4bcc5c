import type { IncomingMessage, ServerResponse } from 'node:http';
import { headersFor, parseHeaderRules } from '../../generator/edge/header-rules.ts';
import { hostOf, normaliseName } from '../http/host.ts';
import type { HostRouter } from '../http/server.ts';

/** Answers for blogs' hosts. */
export interface BlogHosts {
  /** Answers a request if its host is a blog's or lies below the blogs' host, and calls `next` if not. */
  handle(hostname: string, req: IncomingMessage, res: ServerResponse, next: () => void): void;
}

export interface HostRouterOptions {
  /** Names of the service itself. IP addresses and `localhost` are always good. */
  readonly ownHosts: readonly string[];
  readonly blogHosts: BlogHosts;
  /** Headers of refusals, in the format of `_headers`. */
  readonly headers: string;
}

/** Decides by the host of a request who answers it: the API, a blog, or nobody. */
export function createHostRouter({ ownHosts, blogHosts, headers }: HostRouterOptions): HostRouter {
  const own = new Set(['localhost', ...ownHosts.map(normaliseName)]);
  const refusalHeaders = headersFor(parseHeaderRules(headers), '/');
  return {
    handle(req, res, next) {
      const host = hostOf(req);
      if (host.kind === 'malformed') return refuse(req, res, 400, refusalHeaders);
      if (host.kind === 'address' || own.has(host.name)) return next();
      blogHosts.handle(host.name, req, res, () => refuse(req, res, 421, refusalHeaders));
    },
  };
}

const refusals = {
  400: 'The host of this request is missing or malformed: it takes one name or address, with or without a port.\n',
  421:
    'This server does not serve that name. If you run it, set PLATEN_PUBLIC_URL (for the API) or PLATEN_BLOG_HOST ' +
    '(for blogs) to the name that you use.\n',
};

function refuse(
  req: IncomingMessage,
  res: ServerResponse,
  status: keyof typeof refusals,
  headers: ReadonlyMap<string, string>,
): void {
  const text = refusals[status];
  const own = [
    ...['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(Buffer.byteLength(text))],
    ...['Cache-Control', 'no-store'],
    // Whoever sends a malformed host may not agree with us on where the next request begins.
    ...(status === 400 ? ['Connection', 'close'] : []),
  ];
  res.writeHead(status, [...[...headers].flat(), ...own]).end(req.method === 'HEAD' ? undefined : text);
}
