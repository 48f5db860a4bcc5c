import { headersFor, parseHeaderRules } from '../../generator/edge/header-rules.ts';
import type { BlogHosts } from './host-router.ts';

export interface BlogsElsewhereOptions {
  /** Name of the host that blogs lie below. */
  readonly blogHost: string;
  /** Headers of every answer, in the format of `_headers`. */
  readonly headers: string;
}

/** Stands at the hosts of blogs where they are read from a bucket: who comes here has been led wrongly by DNS. */
export function createBlogsElsewhere({ blogHost, headers }: BlogsElsewhereOptions): BlogHosts {
  const suffix = `.${blogHost}`;
  const plain = headersFor(parseHeaderRules(headers), '/');
  return {
    handle(hostname, req, res, next) {
      if (!hostname.endsWith(suffix)) return next();
      const text =
        `Blogs are published to a bucket and read from what stands in front of it, not from this server.\n` +
        `Have the DNS of *${suffix} lead there.\n`;
      const own = ['Content-Type', 'text/plain; charset=utf-8', 'Cache-Control', 'no-store'];
      res.writeHead(421, [...[...plain].flat(), ...own]).end(req.method === 'HEAD' ? undefined : text);
    },
  };
}
