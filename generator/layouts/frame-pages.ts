import type { HtmlView } from '../page.ts';
import { type LayoutView, layoutData } from './data.ts';
import type { LayoutFrame } from './engine.ts';
import type { LayoutPool } from './pool.ts';
import { LayoutRefused } from './refused.ts';

/** Returns the frames of the views whose owner has a layout. A view without a frame gets the theme's own parts. */
export type FramePages = (views: readonly HtmlView[]) => Promise<ReadonlyMap<HtmlView, LayoutFrame>>;

export interface FramePagesOptions {
  readonly pool: Pick<LayoutPool, 'frame'>;
  /** Called when a stored layout fails. `page` is the path, or null if the layout is too slow and no page has it. */
  readonly onRefused: (refusal: { blogId: string; page: string | null; message: string }) => void;
}

/**
 * A page on which the layout fails keeps the theme's own parts. A layout that takes too long is not tried again until
 * the process ends, and all its pages keep them: a rebuild must neither fail for ever nor wait for every page.
 */
export function createFramePages({ pool, onRefused }: FramePagesOptions): FramePages {
  const timedOutLayouts = new Set<string>();

  async function framesOf(views: readonly LayoutView[]): Promise<[HtmlView, LayoutFrame][]> {
    const { id, layout, settings } = views[0]?.blog ?? {};
    if (id === undefined || layout === undefined || settings === undefined || timedOutLayouts.has(layout))
      return [];
    try {
      const pages = views.map(layoutData);
      const framed = await pool.frame(layout, settings.language, pages, { owner: id });
      return views.flatMap((view, index) => {
        const result = framed[index];
        if (result !== undefined && 'frame' in result) return [[view, result.frame]];
        onRefused({ blogId: id, page: pages[index]?.page.path ?? null, message: result?.refused ?? '' });
        return [];
      });
    } catch (error) {
      if (!(error instanceof LayoutRefused)) throw error;
      timedOutLayouts.add(layout);
      onRefused({ blogId: id, page: null, message: error.message });
      return [];
    }
  }

  return async (views) => {
    const withLayout = views.filter(hasLayout);
    const blogs = [...new Set(withLayout.map(({ blog }) => blog))];
    const frames = blogs.map((blog) => framesOf(withLayout.filter((view) => view.blog === blog)));
    return new Map((await Promise.all(frames)).flat());
  };
}

const hasLayout = (view: HtmlView): view is LayoutView =>
  view.layout !== 'redirect' && view.blog.layout !== '';
