import type { HtmlView } from '../page.ts';
import { type LaidOutView, layoutData } from './data.ts';
import type { Frame } from './engine.ts';
import type { LayoutPool } from './pool.ts';
import { LayoutRefused } from './refused.ts';

/** The frames of those views whose owner has a layout. A view without one is shown as the theme has it. */
export type FramePages = (views: readonly HtmlView[]) => Promise<ReadonlyMap<HtmlView, Frame>>;

export interface FramePagesOptions {
  readonly pool: Pick<LayoutPool, 'frame'>;
  /** Told what goes wrong with the layout of a blog, which was tried before it was kept. */
  readonly onRefused: (refusal: { blogId: string; page: string | null; message: string }) => void;
}

/**
 * A layout that fails on a page leaves the page as the theme has it, and one that takes too long leaves all of them so,
 * until the process ends: a rebuild must neither fail for ever nor wait as often as it has pages.
 */
export function createFramePages({ pool, onRefused }: FramePagesOptions): FramePages {
  const endless = new Set<string>();

  async function framesOf(views: readonly LaidOutView[]): Promise<[HtmlView, Frame][]> {
    const { id, layout, settings } = views[0]?.blog ?? {};
    if (id === undefined || layout === undefined || settings === undefined || endless.has(layout)) return [];
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
      endless.add(layout);
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

const hasLayout = (view: HtmlView): view is LaidOutView =>
  view.layout !== 'redirect' && view.blog.layout !== '';
