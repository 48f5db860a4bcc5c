import { randomBytes } from 'node:crypto';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { deployFolder } from '../../clients/cli/deploy/deploy-folder.ts';
import { createStateFile } from '../../clients/cli/deploy/plan/state.ts';
import { Platen } from '../../clients/sdk/index.ts';
import { installRivals } from './rivals/all.ts';
import { type DatedPost, writePosts } from './rivals/markdown-files.ts';
import type { RivalProject } from './rivals/rival.ts';
import { runMeasured } from './rivals/run-measured.ts';
import { extractThemeAssets } from './rivals/theme-assets.ts';
import { publishedAt, seededPost } from './seed/fill-database.ts';
import { runBenchmark } from './support/benchmark.ts';
import type { Scratch } from './support/scratch.ts';
import { startServer } from './support/server.ts';
import { median } from './support/statistics.ts';
import { figure, table } from './support/table.ts';

const usage = `A deploy of a folder of Markdown to an empty blog, until readers see all of it; again without a change; and again after a
change of one post. Beside it Hugo's build of the same folder.

  node dist/scripts/bench/deploy.js [--sizes 1000] [--samples 3] [--rivals hugo]

  --sizes <n,...>    posts in the folder
  --samples <n>      runs, each to a new blog
  --rivals <name>    hugo, or none
`;

interface Run {
  readonly seconds: number;
  readonly requests: number;
}

interface Site {
  readonly folder: string;
  readonly posts: string;
  readonly hugo: RivalProject | null;
}

await runBenchmark(
  usage,
  { sizes: '1000', samples: '3', rivals: 'hugo' },
  async (scratch, { sizes, samples, text }) => {
    const rows: string[][] = [];
    for (const size of sizes) {
      const site = await prepareSite(scratch, size, text('rivals'));
      const key = `pk_live_${randomBytes(24).toString('hex')}`;
      const { origin, child } = await startServer(scratch, scratch.folder(`deploy-${size}`), {
        PLATEN_API_KEY: key,
      });
      const runs: Run[][] = [];
      for (let sample = 0; sample < samples; sample += 1) {
        runs.push(await measure({ origin, key, slug: `deploy-${sample}` }, site));
      }
      child.kill('SIGTERM');
      const names = ['first', 'second, nothing changed', 'third, one post changed'];
      rows.push(
        ...names.map((name, at) =>
          cellsOf(
            size,
            `deploy, ${name}`,
            runs.flatMap((all) => all[at] ?? []),
          ),
        ),
      );
      if (site.hugo !== null)
        rows.push(cellsOf(size, 'build by Hugo', await buildAll(site.hugo, site.folder, samples)));
    }
    return `### Deploys of a folder, medians of ${samples}\n\n${table(['posts', 'what', 'seconds', 'requests'], rows)}`;
  },
);

/** A folder in the layout of Hugo, which a deploy reads as it is. */
async function prepareSite(scratch: Scratch, size: number, rivals: string): Promise<Site> {
  const folder = scratch.folder(`folder-${size}`);
  const posts: DatedPost[] = Array.from({ length: size }, (_, n) => ({
    ...seededPost(n),
    publishedAt: publishedAt(n, size),
  }));
  const content = join(folder, 'content', 'posts');
  const [hugo] = installRivals(rivals);
  if (hugo === undefined) {
    writePosts(content, posts);
    return { folder, posts: content, hugo: null };
  }
  const assets = await extractThemeAssets(scratch);
  const project = hugo.writeProject(folder, { title: 'A blog', url: 'http://blog.localhost', posts, assets });
  return { folder, posts: content, hugo: project };
}

async function measure(
  { origin, key, slug }: { readonly origin: string; readonly key: string; readonly slug: string },
  { folder, posts }: Site,
): Promise<Run[]> {
  let requests = 0;
  const platen = new Platen({
    url: origin,
    apiKey: key,
    fetch(input, init) {
      requests += 1;
      return fetch(input, init);
    },
  });
  const { id } = await platen.blogs.create({ slug, name: slug });
  const state = createStateFile(folder, id);
  const deploy = async (): Promise<Run> => {
    requests = 0;
    const started = performance.now();
    const { failed, notLive } = await deployFolder({
      folder,
      platen: platen.withBlog(id),
      blogId: id,
      state,
    });
    if (failed.length > 0 || notLive !== null) throw new Error(failed[0]?.message ?? notLive ?? '');
    return { seconds: (performance.now() - started) / 1_000, requests };
  };
  const runs = [await deploy(), await deploy()];
  const [changed = ''] = Object.keys((await state.load()).posts);
  appendFileSync(join(folder, changed), '\nOne more sentence.\n');
  runs.push(await deploy());
  if (!changed.startsWith('content/posts/')) throw new Error(`${changed} is not below ${posts}`);
  return runs;
}

async function buildAll(
  { program, args, outputFolder, caches }: RivalProject,
  folder: string,
  samples: number,
) {
  const runs: Run[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const { seconds } = await runMeasured(program, args, folder);
    runs.push({ seconds, requests: Number.NaN });
    for (const path of [outputFolder, ...caches]) rmSync(path, { recursive: true, force: true });
  }
  return runs;
}

function cellsOf(size: number, name: string, runs: readonly Run[]): string[] {
  const of = (value: (run: Run) => number) => figure(median(runs.map(value)));
  return [size.toLocaleString('en'), name, of(({ seconds }) => seconds), of(({ requests }) => requests)];
}
