import { type LaidOutView, layoutData } from '../../generator/layouts/data.ts';
import type { LayoutPool } from '../../generator/layouts/pool.ts';
import { LayoutRefused } from '../../generator/layouts/refused.ts';
import type { HtmlView } from '../../generator/page.ts';
import type { PreviewPool } from '../../generator/previews/pool.ts';
import type { Caller } from '../access/caller.ts';
import type { Db } from '../database/database.ts';
import { DomainError } from '../runtime/errors.ts';
import { refusing } from '../runtime/refusing.ts';
import { assertIncludes } from '../tiers/feature.ts';
import { findOpenedBlog } from './opened-blog.ts';

export interface LayoutPreview {
  readonly layout: string;
  /** Path of a page, or slug of a post; empty for the front page. */
  readonly page: string;
}

/**
 * The layouts that owners give their blogs. Throws `bad_request` for one that cannot be used, with the line and the
 * column, and `rate_limit_exceeded` while too many of the account's are waiting to be tried.
 */
export interface Layouts {
  /** Tries a layout on sample pages of every kind. */
  assertUsable(caller: Caller, layout: string): Promise<void>;
  /**
   * A page of the blog as it would be pressed with the layout. Throws `forbidden` where the tier has none, `not_found`
   * where there is no such page.
   */
  preview(caller: Caller, blogId: string, request: LayoutPreview): Promise<string>;
}

export interface LayoutsDependencies {
  readonly db: Db;
  readonly upgradeUrl: string;
  readonly pool: Pick<LayoutPool, 'try' | 'frame'>;
  /** What a page of a blog shows now; null where the blog has no such page. */
  readonly findView: (blogId: string, page: string) => Promise<HtmlView | null>;
  readonly previewPool: Pick<PreviewPool, 'render'>;
}

export function createLayouts({ db, upgradeUrl, pool, findView, previewPool }: LayoutsDependencies): Layouts {
  return {
    assertUsable: ({ accountId }, layout) =>
      refusing('theme_config.layout', () => pool.try(layout, { owner: accountId })),

    async preview(caller, blogId, { layout, page }) {
      await findOpenedBlog(db, caller, blogId);
      assertIncludes(caller.tier, 'layout', upgradeUrl);
      const found = await findView(blogId, page);
      if (found === null || found.layout === 'redirect') {
        throw new DomainError('not_found', `page: no page of the blog is published at "${page}"`);
      }
      const view: LaidOutView = { ...found, blog: { ...found.blog, layout } };
      const share = { owner: caller.accountId };
      const framed = await refusing('layout', async () => {
        await pool.try(layout, share);
        const [result] = await pool.frame(layout, view.blog.settings.language, [layoutData(view)], share);
        if (result === undefined || 'refused' in result) throw new LayoutRefused(result?.refused ?? '');
        return result.frame;
      });
      return refusing('page', () => previewPool.render(view, share, { frame: framed }));
    },
  };
}
