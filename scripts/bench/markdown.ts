import { type Options as EngineOptions, markdownToHTML } from 'comrak';
import { renderMarkdown } from '../../generator/markdown/render.ts';
import { type Extras, markdownPost } from './seed/markdown-post.ts';
import { runBenchmark } from './support/benchmark.ts';
import { type FirstUse, firstUse } from './support/child-reports.ts';
import { runChild } from './support/run-child.ts';
import type { Scratch } from './support/scratch.ts';
import { median } from './support/statistics.ts';
import { figure, ratio, table } from './support/table.ts';

const usage = `Time to render a post's Markdown to HTML: in the engine alone, and in the whole pipeline.

  node dist/scripts/bench/markdown.js [--sizes 1500] [--samples 200]

  --sizes <n,...>   words of the posts; first use is measured with the first size
  --samples <n>     measured posts of each kind
`;

/** GFM and footnotes: the minimum that parses these posts into the same blocks. */
const gfm: EngineOptions = {
  extension: {
    autolink: true,
    footnotes: true,
    strikethrough: true,
    table: true,
    tagfilter: true,
    tasklist: true,
  },
};

const kinds: Readonly<Record<string, Extras>> = {
  prose: {},
  'with six blocks of code': { code: true },
  'with five formulas': { formulas: true },
  'with both': { code: true, formulas: true },
  'with a diagram': { diagram: true },
};

const WARM_UP = 50;
const PROCESSES = 5;

await runBenchmark(usage, { sizes: '1500', samples: '200' }, async (scratch, { sizes, samples }) => {
  const parts: string[] = [];
  for (const size of sizes) {
    parts.push(
      `### Markdown, posts of ${size.toLocaleString('en')} words, medians of ${samples}, milliseconds`,
    );
    parts.push(measure(size, samples));
  }
  parts.push(`### First use, medians of ${PROCESSES} processes, milliseconds`);
  parts.push(await measureFirstUse(scratch, sizes[0] ?? 0));
  return `${parts.join('\n\n')}\n`;
});

interface MeasuredKind {
  readonly name: string;
  readonly extras: Extras;
  /** Milliseconds of each post. */
  readonly engine: number[];
  readonly pipeline: number[];
}

function measure(words: number, samples: number): string {
  const measured = Object.entries(kinds).map(
    ([name, extras]): MeasuredKind => ({ name, extras, engine: [], pipeline: [] }),
  );
  for (let i = 0; i < WARM_UP + samples; i += 1) {
    // Kinds alternate, so that other load on the machine affects all of them equally.
    for (const { extras, engine, pipeline } of measured) {
      const source = markdownPost(i, words, extras);
      const inEngine = timed(() => markdownToHTML(source, gfm));
      const inPipeline = timed(() => renderMarkdown(source));
      if (i < WARM_UP) continue;
      engine.push(inEngine);
      pipeline.push(inPipeline);
    }
  }
  const rows = measured.map(({ name, engine, pipeline }) => [
    name,
    figure(median(engine)),
    figure(median(pipeline)),
    ratio(median(pipeline), median(engine)),
  ]);
  return table(['post', 'engine', 'whole', 'ratio'], rows);
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

async function measureFirstUse(scratch: Scratch, words: number): Promise<string> {
  const measured = Object.entries(kinds).map(([name, extras]) => {
    const uses: FirstUse[] = [];
    return { name, extras, uses };
  });
  for (let i = 0; i < PROCESSES; i += 1) {
    for (const { extras, uses } of measured) {
      const [FIRST, SECOND] = [markdownPost(0, words, extras), markdownPost(1, words, extras)];
      uses.push(await runChild(scratch, 'children/render-once', { FIRST, SECOND }, firstUse));
    }
  }
  const rows = measured.map(({ name, uses }) => [
    name,
    ...(['load', 'first', 'second'] as const).map((step) => figure(median(uses.map((use) => use[step])))),
  ]);
  return table(['post', 'loading', 'first post', 'second post'], rows);
}
