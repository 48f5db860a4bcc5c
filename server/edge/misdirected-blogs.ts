import { headersFor, parseHeaderRules } from '../../generator/edge/header-rules.ts';
import type { BlogHosts } from './host-router.ts';

export interface MisdirectedBlogHostsOptions {
  /** Host name whose subdomains are the blogs. */
  readonly blogHost: string;
  /** Headers of every response, in the format of `_headers`. */
  readonly headers: string;
}

/**
 * Handles blog hosts if blogs are published to a bucket: a 421, because their DNS points to this server by mistake.
 */
export function createMisdirectedBlogHosts({ blogHost, headers }: MisdirectedBlogHostsOptions): BlogHosts {
  const suffix = `.${blogHost}`;
  const defaultHeaders = headersFor(parseHeaderRules(headers), '/');
  return {
    handle(hostname, req, res, next) {
      if (hostname !== blogHost && !hostname.endsWith(suffix)) return next();
      const text =
        `Blogs are published to a bucket and served from there, not by this server.\n` +
        `Point the DNS of ${hostname === blogHost ? blogHost : `*${suffix}`} to the host in front of the bucket.\n`;
      const own = ['Content-Type', 'text/plain; charset=utf-8', 'Cache-Control', 'no-store'];
      res
        .writeHead(421, [...[...defaultHeaders].flat(), ...own])
        .end(req.method === 'HEAD' ? undefined : text);
    },
  };
}
