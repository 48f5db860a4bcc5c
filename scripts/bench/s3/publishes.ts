import { readIfExists } from '../../../generator/edge/edge.ts';
import { sitePath } from '../../../generator/edge-paths.ts';
import { type Author, createAuthor, type Operation } from '../live/author.ts';
import { startCountingProxy, type Traffic } from '../live/counting-proxy.ts';
import type { WatchedEdge } from '../live/watch.ts';
import { seed } from '../seed/seed.ts';
import type { SeededBlog } from '../seed/seeded.ts';
import { createClient } from '../support/client.ts';
import type { Scratch } from '../support/scratch.ts';
import { startServer } from '../support/server.ts';
import { median, percentile } from '../support/statistics.ts';
import { figure, ratio, table } from '../support/table.ts';
import { withBucket } from './bucket.ts';

/** Posts per list page: a warm-up publish at each position of a page. */
const WARM_UP = 10;
const KIB = 1_024;

const kinds = ['publish', 'retag', 'remove'] as const;
type Kind = (typeof kinds)[number];
const names: Readonly<Record<Kind, string>> = {
  publish: 'publish',
  retag: 'retag an old post',
  remove: 'delete an old post',
};

type Measured = Operation & { readonly traffic: Traffic };

interface MeasuredBlog {
  readonly blog: SeededBlog;
  readonly author: Author;
  readonly operations: Readonly<Record<Kind, Measured[]>>;
}

/** Measures publish to live on S3 in blogs of these sizes. Resolves to a table with ratios to the first size. */
export async function measurePublishes(
  scratch: Scratch,
  sizes: readonly number[],
  samples: number,
): Promise<string> {
  const dataDir = scratch.folder('publishes');
  const { key, blogs } = await seed(dataDir, sizes);
  return withBucket(scratch, 's3-publishes', async (bucket) => {
    const proxy = await startCountingProxy(bucket.endpoint);
    const { origin } = await startServer(scratch, dataDir, bucket.env(proxy.endpoint));
    const measured: MeasuredBlog[] = [];
    for (const blog of blogs) {
      const client = createClient({ origin, key, blog });
      await client.untilLive(blog.rebuildId);
      const edge: WatchedEdge = {
        writtenAt: (path) => proxy.writtenAt(sitePath(blog.slug, path)),
        async read(path) {
          const bytes = await readIfExists(bucket.edge, sitePath(blog.slug, path));
          return bytes && Buffer.from(bytes).toString();
        },
        async request(path) {
          const text = await edge.read(path);
          return { status: text === null ? 404 : 200, text: text ?? '' };
        },
      };
      const author = createAuthor({ client, blog, dataDir, edge });
      measured.push({ blog, author, operations: { publish: [], retag: [], remove: [] } });
    }
    for (let i = 0; i < WARM_UP + samples; i += 1) {
      for (const kind of kinds) {
        for (const { author, operations } of measured) {
          proxy.takeTraffic();
          const operation = await author[kind]();
          if (i >= WARM_UP) operations[kind].push({ ...operation, traffic: proxy.takeTraffic() });
        }
      }
    }
    for (const { author } of measured) author.close();
    await proxy.close();
    return report(measured);
  });
}

function report(blogs: readonly MeasuredBlog[]): string {
  const rows = kinds.flatMap((kind) => {
    const liveOf = ({ operations }: MeasuredBlog) => operations[kind].map(({ allLiveAt }) => allLiveAt);
    const [first] = blogs;
    const firstLive = first ? liveOf(first) : [];
    return blogs.map((measured, n) => {
      const operations = measured.operations[kind];
      const live = liveOf(measured);
      const of = (value: (operation: Measured) => number) => figure(median(operations.map(value)));
      return [
        n === 0 ? names[kind] : '',
        measured.blog.size.toLocaleString('en'),
        of(({ respondedAt }) => respondedAt),
        of(({ ownPageLiveAt }) => ownPageLiveAt),
        figure(median(live)),
        ratio(median(live), median(firstLive)),
        figure(percentile(live, 90)),
        ratio(percentile(live, 90), percentile(firstLive, 90)),
        of(({ traffic }) => traffic.objects),
        of(({ traffic }) => traffic.bytes / KIB),
        of(({ traffic }) => traffic.removed),
        of(({ traffic }) => traffic.requests),
      ];
    });
  });
  const times = ['answered', 'own page', 'live', 'ratio', 'p90', 'ratio'];
  const sent = ['objects', 'KiB', 'removed', 'requests'];
  return table(['operation', 'posts', ...times, ...sent], rows);
}
