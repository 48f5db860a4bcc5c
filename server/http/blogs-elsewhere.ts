import { type BlogHosts, withoutPort } from './blog-hosts.ts';

export interface BlogsElsewhereOptions {
  readonly blogHost: string;
  /** Hosts that are no blog's. */
  readonly ownHosts: readonly string[];
}

/** Stands at the hosts of blogs where they are read from a bucket: who comes here has been led wrongly by DNS. */
export function createBlogsElsewhere({ blogHost, ownHosts }: BlogsElsewhereOptions): BlogHosts {
  const suffix = `.${withoutPort(blogHost)}`;
  return {
    handle(req, res, next) {
      const hostname = withoutPort(req.headers.host ?? '');
      if (ownHosts.includes(hostname) || !hostname.endsWith(suffix)) return next();
      const text =
        `Blogs are published to a bucket and read from what stands in front of it, not from this server.\n` +
        `Have the DNS of *${suffix} lead there.\n`;
      const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
      res.writeHead(421, headers).end(req.method === 'HEAD' ? undefined : text);
    },
  };
}
