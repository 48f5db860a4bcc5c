import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { installRivals } from './rivals/all.ts';
import type { Rival, RivalProject, ThemeAssets } from './rivals/rival.ts';
import { type Measured, runMeasured } from './rivals/run-measured.ts';
import { extractThemeAssets } from './rivals/theme-assets.ts';
import { publishedAt, seededPost } from './seed/fill-database.ts';
import { seed } from './seed/seed.ts';
import type { SeededBlog } from './seed/seeded.ts';
import { runBenchmark } from './support/benchmark.ts';
import { type BuildReport, buildReport } from './support/child-reports.ts';
import { runChild } from './support/run-child.ts';
import type { Scratch } from './support/scratch.ts';
import { median } from './support/statistics.ts';
import { figure, ratio, table } from './support/table.ts';

const usage = `Time of a full build: Platen from its database to an empty edge, without cards and the Pagefind index; and static
site generators from the same posts as Markdown files to an empty folder.

  node dist/scripts/bench/full-build.js [--sizes 1000,10000,100000] [--samples 3] [--rivals hugo,eleventy,hexo]

  --sizes <n,...>    posts of the blogs; blogs of more than 10,000 posts are built by Platen only
  --samples <n>      builds of each blog by each tool, each in a new process, in turns; builds of more than 30 seconds
                     run once
  --rivals <name,..> tools to compare: hugo, eleventy, hexo; or none

Hugo comes from Debian packages, the others from npm, into the user's cache. Tools that cannot be installed are skipped.
Seeding 100,000 posts takes four minutes, once, and 5 GB of disk.
`;

/** Size limit of the compared blogs: the other tools would take most of an hour for larger ones. */
const MAX_COMPARED = 10_000;
/** Longer builds are not repeated, because they would dominate the benchmark's duration. */
const REPEAT_MAX_SECONDS = 30;

interface Build extends Measured {
  /** Number of files in the result. */
  readonly files: number;
}

/** A tool that builds a blog from scratch. */
interface Contender {
  readonly name: string;
  readonly version: string;
  build(): Promise<Build>;
  readonly builds: Build[];
}

interface MeasuredBlog {
  readonly size: number;
  readonly contenders: readonly Contender[];
  readonly reports: readonly BuildReport[];
}

await runBenchmark(
  usage,
  { sizes: '1000,10000,100000', samples: '3', rivals: 'hugo,eleventy,hexo' },
  async (scratch, { sizes, samples, text }) => {
    const rivals = installRivals(text('rivals'));
    const assets = rivals.length > 0 ? await extractThemeAssets(scratch) : null;
    const blogs: MeasuredBlog[] = [];
    for (const size of sizes)
      blogs.push(
        await prepare(scratch, size, assets && size <= MAX_COMPARED ? { rivals, look: assets } : null),
      );
    for (let i = 0; i < samples; i += 1) {
      for (const { contenders } of blogs) {
        for (const contender of contenders) {
          if ((contender.builds[0]?.seconds ?? 0) > REPEAT_MAX_SECONDS) continue;
          // Flush the writes of the previous build, so that they do not slow down this one.
          execFileSync('sync');
          contender.builds.push(await contender.build());
        }
      }
    }
    return `### Full build, medians of ${samples} processes each; builds of 30 seconds and more ran once\n\n${reportAll(blogs.filter(({ size }) => size <= MAX_COMPARED))}\n\nPlaten alone:\n\n${reportSteps(blogs)}`;
  },
);

async function prepare(
  scratch: Scratch,
  size: number,
  against: { readonly rivals: readonly Rival[]; readonly look: ThemeAssets } | null,
): Promise<MeasuredBlog> {
  const dataDir = scratch.folder(`seeded-${size}`);
  const { blogs } = await seed(dataDir, [size]);
  const [blog] = blogs;
  if (!blog) throw new Error('no blog was seeded');
  const reports: BuildReport[] = [];
  const platen = { ...platenContender(scratch, { blog, dataDir, reports }), builds: [] };
  if (against === null) return { size, contenders: [platen], reports };
  const posts = Array.from({ length: size }, (_, n) => ({
    ...seededPost(n),
    publishedAt: publishedAt(n, size),
  }));
  const { look } = against;
  const others = against.rivals.map((rival) => {
    const folder = scratch.folder(`${rival.name}-${size}`);
    const laidOut = rival.writeProject(folder, {
      title: `A blog of ${size}`,
      url: 'http://blog.localhost:8080',
      posts,
      assets: look,
    });
    return { ...rival, build: () => buildRival(folder, laidOut), builds: [] };
  });
  return { size, contenders: [platen, ...others], reports };
}

interface PlatenBlog {
  readonly blog: SeededBlog;
  /** Data folder with the blog in its database and an empty edge. */
  readonly dataDir: string;
  readonly reports: BuildReport[];
}

function platenContender(scratch: Scratch, { blog, dataDir: seeded, reports }: PlatenBlog) {
  async function build(): Promise<Build> {
    const dataDir = scratch.folder(`build-${blog.size}`);
    cpSync(seeded, dataDir, { recursive: true });
    execFileSync('sync');
    const started = performance.now();
    const env = { PLATEN_DATA_DIR: dataDir, REBUILD_ID: blog.rebuildId, NODE_ENV: 'production' };
    const report = await runChild(scratch, 'children/build-once', env, buildReport);
    const seconds = (performance.now() - started) / 1000;
    reports.push(report);
    const files = countFiles(join(dataDir, 'edge', 'sites', blog.slug));
    rmSync(dataDir, { recursive: true });
    return { seconds, files, peakMemory: report.peakMemory };
  }
  return { name: 'Platen', version: platenVersion(), build };
}

function platenVersion(): string {
  const root = join(dirname(createRequire(import.meta.url).resolve('#dist/server/main.js')), '..', '..');
  const described: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return z.object({ version: z.string() }).parse(described).version;
}

async function buildRival(
  folder: string,
  { program, args, outputFolder, caches }: RivalProject,
): Promise<Build> {
  const measured = await runMeasured(program, args, folder);
  const files = countFiles(outputFolder);
  for (const path of [outputFolder, ...caches]) rmSync(path, { recursive: true, force: true });
  return { ...measured, files };
}

function countFiles(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

function reportAll(blogs: readonly MeasuredBlog[]): string {
  const rows = blogs.flatMap(({ size, contenders }) => {
    const of = ({ builds }: Contender, value: (build: Build) => number) => median(builds.map(value));
    const first = contenders.find(({ name }) => name === 'Hugo');
    const firstOf = (value: (build: Build) => number) => (first ? of(first, value) : Number.NaN);
    return contenders.map((contestant) => [
      size.toLocaleString('en'),
      contestant.name,
      contestant.version,
      figure(of(contestant, ({ files }) => files)),
      figure(of(contestant, ({ seconds }) => seconds)),
      ratio(
        of(contestant, ({ seconds }) => seconds),
        firstOf(({ seconds }) => seconds),
      ),
      figure(of(contestant, ({ peakMemory }) => peakMemory)),
      ratio(
        of(contestant, ({ peakMemory }) => peakMemory),
        firstOf(({ peakMemory }) => peakMemory),
      ),
    ]);
  });
  return table(['posts', 'tool', 'version', 'files', 'seconds', 'vs Hugo', 'peak MiB', 'vs Hugo'], rows);
}

function reportSteps(blogs: readonly MeasuredBlog[]): string {
  const of = ({ reports }: MeasuredBlog, value: (build: BuildReport) => number) => median(reports.map(value));
  const build = (blog: MeasuredBlog) => of(blog, (report) => report.build);
  const [first] = blogs;
  const rows = blogs.map((blog) => [
    blog.size.toLocaleString('en'),
    figure(build(blog) / 1000),
    ratio(build(blog), first ? build(first) : Number.NaN),
    figure(build(blog) / blog.size),
    ...(['plan', 'render', 'apply'] as const).map((step) => figure(of(blog, ({ steps }) => steps[step]))),
    figure(of(blog, ({ peakMemory }) => peakMemory)),
  ]);
  return table(
    ['posts', 'build s', 'ratio', 'ms/post', 'plan ms', 'render ms', 'apply ms', 'peak MiB'],
    rows,
  );
}
