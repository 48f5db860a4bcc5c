import { markStart, type StartedAt } from '../workers/timed-run.ts';
import type { LayoutData } from './data.ts';
import { compileLayout, type Layout, type LayoutFrame } from './engine.ts';
import { LayoutRefused } from './refused.ts';
import { tryLayout } from './try-layout.ts';
import type { UnknownVariables } from './unknown-variables.ts';

export interface LayoutTask {
  readonly source: string;
  readonly language: string;
  /** The pages to frame; null to try the layout. */
  readonly pages: readonly LayoutData[] | null;
}

/** A frame, or the reason why there is none. */
export type FrameResult = { readonly frame: LayoutFrame } | { readonly refused: string };

/** The outcome of a trial: what the layout reads that no page has, or the reason why it cannot be used. */
export type TrialResult = { readonly unknown: UnknownVariables } | { readonly refused: string };

/** Size of the least-recently-used cache of compiled layouts. */
const CACHE_SIZE = 20;
const layoutCache = new Map<string, Layout>();

/** The pool's worker thread. Returns a result for each page, in page order, or the result of a trial. */
export default function work({
  source,
  language,
  pages,
  startedAt,
}: LayoutTask & { startedAt: StartedAt }): FrameResult[] | TrialResult {
  markStart(startedAt);
  if (pages === null) return orRefusal(() => ({ unknown: tryLayout(source) }));
  return pages.map((page) => orRefusal(() => ({ frame: layoutOf(source, language).frame(page) })));
}

function orRefusal<Result>(work: () => Result): Result | { refused: string } {
  try {
    return work();
  } catch (error) {
    if (error instanceof LayoutRefused) return { refused: error.message };
    throw error;
  }
}

function layoutOf(source: string, language: string): Layout {
  const key = `${language}\n${source}`;
  const layout = layoutCache.get(key) ?? compileLayout(source, language);
  layoutCache.delete(key);
  layoutCache.set(key, layout);
  const [oldest] = layoutCache.keys();
  if (layoutCache.size > CACHE_SIZE && oldest !== undefined) layoutCache.delete(oldest);
  return layout;
}
