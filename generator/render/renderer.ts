import { createRequire } from 'node:module';
import { Piscina } from 'piscina';
import type { LayoutFrame } from '../layouts/engine.ts';
import type { FramePages } from '../layouts/frame-pages.ts';
import type { HtmlView, OutputFile, Page } from '../page.ts';
import { createFileWriter, viewsOf } from './files.ts';

export interface Renderer {
  /** Renders the files of a few pages, in page order. Cards have a pool of their own and are not drawn here. */
  render(pages: readonly Page[]): Promise<OutputFile[]>;
  /** Does the same in a worker thread: for rebuilds with many pages. */
  renderInThread(pages: readonly Page[]): Promise<OutputFile[]>;
  /** Number of `renderInThread` calls that run at once. */
  readonly threads: number;
  close(): Promise<void>;
}

export interface RendererOptions {
  /** Without it, the renderer ignores owners' layouts. */
  readonly framePages?: FramePages;
  readonly threads?: number;
}

/** A worker thread's input. The views in `pages` and the keys of `frames` are the same objects. */
export interface RenderTask {
  readonly pages: readonly Page[];
  readonly frames: ReadonlyMap<HtmlView, LayoutFrame>;
}

/** Idle threads end after this time. */
const IDLE_MS = 10_000;
/** Young generation in MiB: pages are long, short-lived strings, hundreds at a time. */
const YOUNG_GENERATION_MB = 64;

export function createRenderer({
  framePages = async () => new Map(),
  threads = 1,
}: RendererOptions = {}): Renderer {
  const writeFiles = createFileWriter();
  let pool: Piscina<RenderTask, OutputFile[]> | undefined;

  /** Most rebuilds have few pages, so threads start with the first large one. */
  const openPool = () =>
    new Piscina<RenderTask, OutputFile[]>({
      filename: createRequire(import.meta.url).resolve('#dist/generator/render/worker.js'),
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });

  return {
    render: async (pages) => writeFiles(pages, await framePages(viewsOf(pages))),
    async renderInThread(pages) {
      pool ??= openPool();
      return pool.run({ pages, frames: await framePages(viewsOf(pages)) });
    },
    threads,
    async close() {
      await pool?.close();
    },
  };
}
