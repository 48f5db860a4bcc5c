import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ReadableEdge } from '../../../generator/edge/edge.ts';
import { openFilesystemEdge } from '../../../generator/edge/filesystem.ts';
import { seed } from '../seed/seed.ts';
import { runChild } from '../support/run-child.ts';
import type { Scratch } from '../support/scratch.ts';
import { median } from '../support/statistics.ts';
import { figure, ratio, table } from '../support/table.ts';
import { type BenchBucket, MEDIA_URL, withBucket } from './bucket.ts';

const MIB = 2 ** 20;

const report = z.object({ peakMemory: z.number() });

interface Run {
  /** From the start of the process to its exit. */
  readonly seconds: number;
  /** Peak memory of the process in MiB. */
  readonly peakMemory: number;
}

/** `<size> <MD5>` of each file by path. */
type Tree = ReadonlyMap<string, string>;

/**
 * Compares a plain upload of a blog's files with Platen's full build from the database, in turns, each to an empty
 * bucket on a new S3 server. Resolves to a table. Rejects if the resulting objects differ.
 */
export async function measureBuilds(scratch: Scratch, size: number, samples: number): Promise<string> {
  const seeded = scratch.folder('seeded');
  const { blogs } = await seed(seeded, [size]);
  let buildCount = 0;
  const rebuild = { REBUILD_ID: blogs[0]?.rebuildId ?? '' };

  async function build(settings: Readonly<Record<string, string>>): Promise<Run & { dataDir: string }> {
    buildCount += 1;
    const dataDir = scratch.folder(`build-${buildCount}`);
    cpSync(seeded, dataDir, { recursive: true });
    const env = { ...settings, ...rebuild, PLATEN_DATA_DIR: dataDir };
    return { ...(await run(scratch, 'children/build-once', env)), dataDir };
  }

  const withNewBucket = (name: string, fill: (bucket: BenchBucket) => Promise<Run>) =>
    withBucket(scratch, `s3-${name}`, async (bucket) => {
      const measured = await fill(bucket);
      return { measured, tree: await treeOf(bucket.edge) };
    });

  const { dataDir } = await build({ PLATEN_MEDIA_URL: MEDIA_URL });
  const FOLDER = join(dataDir, 'edge');
  const uploads: Run[] = [];
  const builds: Run[] = [];
  let tree: Tree = new Map();
  for (let i = 0; i < samples; i += 1) {
    const uploaded = await withNewBucket(`upload-${i}`, (bucket) =>
      run(scratch, 'children/upload-once', { ...bucket.env(), FOLDER }),
    );
    const built = await withNewBucket(`build-${i}`, (bucket) => build(bucket.env()));
    uploads.push(uploaded.measured);
    builds.push(built.measured);
    tree = uploaded.tree;
    assertEqual(built.tree, tree);
  }
  const { size: files, bytes } = await sizeOf(FOLDER);
  if (tree.size !== files) throw new Error(`${tree.size} of ${files} files were uploaded`);
  const seconds = (runs: readonly Run[]) => median(runs.map((one) => one.seconds));
  const rowOf = (what: string, runs: readonly Run[]) => [
    what,
    figure(files),
    figure(bytes / MIB),
    figure(seconds(runs)),
    ratio(seconds(runs), seconds(uploads)),
    figure(files / seconds(runs)),
    figure(median(runs.map(({ peakMemory }) => peakMemory))),
  ];
  return table(
    ['', 'objects', 'MiB', 'seconds', 'ratio', 'objects/s', 'peak MiB'],
    [rowOf('plain upload', uploads), rowOf('Platen', builds)],
  );
}

async function run(scratch: Scratch, script: string, env: Readonly<Record<string, string>>): Promise<Run> {
  const started = performance.now();
  const { peakMemory } = await runChild(scratch, script, { ...env, NODE_ENV: 'production' }, report);
  return { seconds: (performance.now() - started) / 1000, peakMemory };
}

async function treeOf(edge: ReadableEdge): Promise<Tree> {
  const tree = new Map<string, string>();
  for await (const { path, size, md5 } of edge.list('')) tree.set(path, `${size} ${md5}`);
  return tree;
}

function assertEqual(built: Tree, uploaded: Tree): void {
  const paths = new Set([...built.keys(), ...uploaded.keys()]);
  const different = [...paths].filter((path) => built.get(path) !== uploaded.get(path));
  if (different.length === 0) return;
  throw new Error(`build and upload differ in ${different.length} objects, for example ${different[0]}`);
}

async function sizeOf(folder: string): Promise<{ size: number; bytes: number }> {
  const edge = await openFilesystemEdge(folder);
  const sizes: number[] = [];
  for await (const { size } of edge.list('')) sizes.push(size);
  return { size: sizes.length, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) };
}
