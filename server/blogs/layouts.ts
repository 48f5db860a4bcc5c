import { type LayoutView, layoutData } from '../../generator/layouts/data.ts';
import type { LayoutPool } from '../../generator/layouts/pool.ts';
import { LayoutRefused } from '../../generator/layouts/refused.ts';
import type { UnknownVariables } from '../../generator/layouts/unknown-variables.ts';
import type { HtmlView } from '../../generator/page.ts';
import type { PreviewPool } from '../../generator/previews/pool.ts';
import type { Caller } from '../access/caller.ts';
import type { Db } from '../database/database.ts';
import { DomainError } from '../runtime/errors.ts';
import { translateRefusals } from '../runtime/refusals.ts';
import { assertIncludes } from '../tiers/feature.ts';
import type { Mistakes } from '../wire/mistake.ts';
import { findAccessibleBlog } from './open-blog.ts';

export interface LayoutPreviewRequest {
  readonly layout: string;
  /** A page's path or a post's slug; empty for the front page. */
  readonly page: string;
}

/**
 * Checks and previews of owners' layouts. Both methods throw `bad_request` with line and column for an invalid
 * layout, and `rate_limit_exceeded` while too many checks of the account are queued.
 */
export interface Layouts {
  /** Renders sample pages of every kind with the layout, and reports the variables that no page has. */
  assertValid(caller: Caller, layout: string, report: Report): Promise<void>;
  /**
   * The HTML of a page as a build with this layout would write it. Throws `forbidden` if the tier does not include
   * layouts, and `not_found` if there is no such page.
   */
  preview(caller: Caller, blogId: string, request: LayoutPreviewRequest, report: Report): Promise<string>;
}

/** Takes what is probably wrong with a layout that can be used all the same. May throw to refuse it. */
export type Report = (mistakes: Mistakes) => void;

export interface LayoutsDependencies {
  readonly db: Db;
  readonly upgradeUrl: string;
  readonly pool: Pick<LayoutPool, 'try' | 'frame'>;
  /** The present view of a page; null if the blog has no such page. */
  readonly findView: (blogId: string, page: string) => Promise<HtmlView | null>;
  readonly previewPool: Pick<PreviewPool, 'render'>;
}

export function createLayouts({ db, upgradeUrl, pool, findView, previewPool }: LayoutsDependencies): Layouts {
  return {
    async assertValid({ accountId }, layout, report) {
      const field = 'theme_config.layout';
      const unknown = await translateRefusals(field, () => pool.try(layout, { owner: accountId }));
      report(mistakesIn(field, unknown));
    },

    async preview(caller, blogId, { layout, page }, report) {
      await findAccessibleBlog(db, caller, blogId);
      assertIncludes(caller.tier, 'layout', upgradeUrl);
      const found = await findView(blogId, page);
      if (found === null || found.layout === 'redirect') {
        throw new DomainError('not_found', `page: no page of the blog is published at "${page}"`);
      }
      const view: LayoutView = { ...found, blog: { ...found.blog, layout } };
      const share = { owner: caller.accountId };
      const framed = await translateRefusals('layout', async () => {
        report(mistakesIn('layout', await pool.try(layout, share)));
        const [result] = await pool.frame(layout, view.blog.settings.language, [layoutData(view)], share);
        if (result === undefined || 'refused' in result) throw new LayoutRefused(result?.refused ?? '');
        return result.frame;
      });
      return translateRefusals('page', () => previewPool.render(view, share, { frame: framed }));
    },
  };
}

const mistakesIn = (field: string, { first, more }: UnknownVariables): Mistakes => ({
  first: first.map((message) => ({ field, message, warning: `${field}: ${message}` })),
  more,
});
