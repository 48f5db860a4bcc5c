import { createRequire } from 'node:module';
import { Piscina } from 'piscina';
import type { Frame } from '../layouts/engine.ts';
import type { FramePages } from '../layouts/frame-pages.ts';
import type { HtmlView, OutputFile, Page } from '../page.ts';
import { createFileWriter, viewsOf } from './files.ts';

export interface Renderer {
  /** The files of a few pages, in the order of the pages. Cards are not drawn here: they have a pool of their own. */
  render(pages: readonly Page[]): Promise<OutputFile[]>;
  /** The same for pages of which there are many more to come: in a thread, while the caller goes on. */
  renderAside(pages: readonly Page[]): Promise<OutputFile[]>;
  /** How many calls of `renderAside` are worked on at once. */
  readonly threads: number;
  close(): Promise<void>;
}

export interface RendererOptions {
  /** Told nothing of how to frame pages, a renderer leaves owners' layouts aside. */
  readonly framePages?: FramePages;
  readonly threads?: number;
}

/** What a thread is given. Views are the same objects in both. */
export interface RenderTask {
  readonly pages: readonly Page[];
  readonly frames: ReadonlyMap<HtmlView, Frame>;
}

/** Threads go when there has been nothing to do for so long. */
const IDLE_MS = 10_000;
/** MiB for what is young: pages are long strings that are needed once, and come by the hundred. */
const YOUNG_MB = 64;

export function createRenderer({
  framePages = async () => new Map(),
  threads = 1,
}: RendererOptions = {}): Renderer {
  const writeFiles = createFileWriter();
  let pool: Piscina<RenderTask, OutputFile[]> | undefined;

  /** Most rebuilds are of a few pages, so threads are started for the first of many. */
  const open = () =>
    new Piscina<RenderTask, OutputFile[]>({
      filename: createRequire(import.meta.url).resolve('#dist/generator/render/worker.js'),
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });

  return {
    render: async (pages) => writeFiles(pages, await framePages(viewsOf(pages))),
    async renderAside(pages) {
      pool ??= open();
      return pool.run({ pages, frames: await framePages(viewsOf(pages)) });
    },
    threads,
    async close() {
      await pool?.close();
    },
  };
}
