import { measureBuilds } from './s3/builds.ts';
import { measurePublishes } from './s3/publishes.ts';
import { runBenchmark } from './support/benchmark.ts';

const usage = `Publishing to a bucket, with an S3 server on loopback: time from a request until every object shows its effect, and
the traffic, in blogs of several sizes; and a full build to an empty bucket, compared with a plain upload of the same
files.

  node dist/scripts/bench/s3.js [--sizes 10,1000,10000] [--samples 30] [--build 10000] [--builds 3]

  --sizes <n,...>   posts of the blogs for publishes; ratios are relative to the first
  --samples <n>     measured operations of each kind in each blog
  --build <n>       posts of the blog for full builds and uploads
  --builds <n>     number of builds and uploads, in turns

The server is Ceph's RADOS Gateway from Debian packages; as root, they are installed if they are missing.
`;

await runBenchmark(
  usage,
  { sizes: '10,1000,10000', samples: '30', build: '10000', builds: '3' },
  async (scratch, { sizes, samples, number }) => {
    const published = await measurePublishes(scratch, sizes, samples);
    const [size, builds] = [number('build'), number('builds')];
    const built = await measureBuilds(scratch, size, builds);
    return [
      `### Publish to live on S3, ${samples} operations of each kind in each blog, milliseconds`,
      published,
      `### A blog of ${size.toLocaleString('en')} posts to an empty bucket, medians of ${builds} processes each`,
      built,
    ].join('\n\n');
  },
);
