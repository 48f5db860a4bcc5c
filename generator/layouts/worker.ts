import { markStart, type StartedAt } from '../workers/timed-run.ts';
import type { LayoutData } from './data.ts';
import { compileLayout, type Frame, type Layout } from './engine.ts';
import { LayoutRefused } from './refused.ts';
import { tryLayout } from './try-layout.ts';

export interface LayoutTask {
  readonly source: string;
  readonly language: string;
  /** Pages to make frames for; null: the layout is to be tried. */
  readonly pages: readonly LayoutData[] | null;
}

/** A frame, or why there is none. */
export type Framed = { readonly frame: Frame } | { readonly refused: string };

/** Compiled layouts that are kept, those that were used last. */
const KEPT = 20;
const compiled = new Map<string, Layout>();

/** A thread of the pool: a frame for each page, in their order, or for a trial nothing, or one refusal. */
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
