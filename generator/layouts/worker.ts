import { markStart, type StartedAt } from '../workers/timed-run.ts';
import type { LayoutData } from './data.ts';
import { compileLayout, type Frame, type Layout } from './engine.ts';
import { LayoutRefused } from './refused.ts';
import { tryLayout } from './try-layout.ts';

export interface LayoutTask {
  readonly source: string;
  readonly language: string;
  /** The pages to frame; null to try the layout. */
  readonly pages: readonly LayoutData[] | null;
}

/** A frame, or the reason why there is none. */
export type Framed = { readonly frame: Frame } | { readonly refused: string };

/** Size of the least-recently-used cache of compiled layouts. */
const KEPT = 20;
const compiled = new Map<string, Layout>();

/** The pool's worker thread. Returns a result for each page, in page order; for a trial nothing, or one refusal. */
export default function work({
  source,
  language,
  pages,
  startedAt,
}: LayoutTask & { startedAt: StartedAt }): Framed[] {
  markStart(startedAt);
  if (pages === null) return refusalsOf(() => tryLayout(source));
  return pages.map((page) => {
    try {
      return { frame: layoutOf(source, language).frame(page) };
    } catch (error) {
      if (error instanceof LayoutRefused) return { refused: error.message };
      throw error;
    }
  });
}

function refusalsOf(trial: () => void): Framed[] {
  try {
    trial();
    return [];
  } catch (error) {
    if (error instanceof LayoutRefused) return [{ refused: error.message }];
    throw error;
  }
}

function layoutOf(source: string, language: string): Layout {
  const key = `${language}\n${source}`;
  const layout = compiled.get(key) ?? compileLayout(source, language);
  compiled.delete(key);
  compiled.set(key, layout);
  const [oldest] = compiled.keys();
  if (compiled.size > KEPT && oldest !== undefined) compiled.delete(oldest);
  return layout;
}
