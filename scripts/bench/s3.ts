import { measurePresses } from './s3/builds.ts';
import { measurePublishes } from './s3/publishes.ts';
import { runBenchmark } from './support/benchmark.ts';

const usage = `What it takes to publish to a bucket, on an S3 server on loopback: from a request until every object shows it, and
what is sent for it, in blogs of several sizes; and a whole blog to an empty bucket, beside a plain upload of the same
files.

  node dist/scripts/bench/s3.js [--sizes 10,1000,10000] [--samples 30] [--press 10000] [--presses 3]

  --sizes <n,...>   posts of the blogs that are published in; the first is what the others are compared with
  --samples <n>     operations of each kind to measure in each blog
  --press <n>       posts of the blog that is pressed and uploaded
  --presses <n>     how often, in turns

The server is Ceph's RADOS Gateway from Debian's packages, which root installs where they are missing.
`;

await runBenchmark(
  usage,
  { sizes: '10,1000,10000', samples: '30', press: '10000', presses: '3' },
  async (scratch, { sizes, samples, number }) => {
    const published = await measurePublishes(scratch, sizes, samples);
    const [size, presses] = [number('press'), number('presses')];
    const pressed = await measurePresses(scratch, size, presses);
    return [
      `### Publish to live on S3, ${samples} operations of each kind in each blog, milliseconds`,
      published,
      `### A blog of ${size.toLocaleString('en')} posts to an empty bucket, medians of ${presses} processes each`,
      pressed,
    ].join('\n\n');
  },
);
