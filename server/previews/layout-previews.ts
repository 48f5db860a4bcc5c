import { type LayoutView, layoutData } from '../../generator/layouts/data.ts';
import type { LayoutPool } from '../../generator/layouts/pool.ts';
import { LayoutRefused } from '../../generator/layouts/refused.ts';
import type { HtmlView } from '../../generator/page.ts';
import type { PreviewPool } from '../../generator/previews/pool.ts';
import type { Caller } from '../access/caller.ts';
import { findAccessibleBlog } from '../blogs/open-blog.ts';
import { mistakesIn, type Report } from '../blogs/theme/layouts.ts';
import type { Db } from '../database/database.ts';
import type { Clock } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import { translateRefusals } from '../runtime/refusals.ts';
import { assertIncludes } from '../tiers/feature.ts';
import { createLayoutLinks, type TriedLayout } from './layout-links.ts';

export interface LayoutPreviewRequest {
  readonly layout: string;
  /** A page's path or a post's slug; empty for the front page. */
  readonly page: string;
}

export interface CreatedLayoutPreview {
  /** The page as a build with this layout would write it. */
  readonly html: string;
  /** Link to the same page, from which the blog's other pages can be reached in this layout. */
  readonly url: string;
  readonly expiresAt: string;
}

/**
 * Pages of a blog in a layout that is not stored. Both methods throw `bad_request` if the layout cannot be used there,
 * and `rate_limit_exceeded` while too many renders of the account are queued.
 */
export interface LayoutPreviews {
  /** Throws `forbidden` if the tier does not include layouts, and `not_found` if there is no such page. */
  create(
    caller: Caller,
    blogId: string,
    request: LayoutPreviewRequest,
    report: Report,
  ): Promise<CreatedLayoutPreview>;
  /**
   * What a link shows: the page at a path of the blog, or the preview that a redirect leads to. Throws `not_found` for
   * an unknown or expired link, and for a page that does not exist.
   */
  open(token: string, page: string): Promise<{ readonly html: string } | { readonly movedTo: string }>;
}

export interface LayoutPreviewsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly upgradeUrl: string;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly layoutPool: Pick<LayoutPool, 'try' | 'frame'>;
  readonly previewPool: Pick<PreviewPool, 'render'>;
  /** The present view of a page in a layout; null if the blog has no such page. */
  readonly findView: (blogId: string, shown: LayoutPreviewRequest) => Promise<HtmlView | null>;
}

export function createLayoutPreviews({
  db,
  clock,
  upgradeUrl,
  publicUrl,
  layoutPool,
  previewPool,
  findView,
}: LayoutPreviewsDependencies): LayoutPreviews {
  const links = createLayoutLinks(clock);
  const previewUrl = (token: string, path: string) => `${publicUrl}/preview/layouts/${token}/${path}`;

  return {
    async create(caller, blogId, { layout, page }, report) {
      await findAccessibleBlog(db, caller, blogId);
      assertIncludes(caller.tier, 'layout', upgradeUrl);
      const view = await findShown(blogId, { layout, page });
      if (view === null || view.layout === 'redirect') {
        throw new DomainError('not_found', `page: no page of the blog is published at "${page}"`);
      }
      const unknown = await translateRefusals('layout', () =>
        layoutPool.try(layout, { owner: caller.accountId }),
      );
      report(mistakesIn('layout', unknown));
      const tried = { accountId: caller.accountId, blogId, layout };
      const html = await render(view, tried);
      const { token, expiresAt } = links.add(tried);
      const path = pathOn(view.blog.url, urlOf(view)) ?? '';
      return { html, url: previewUrl(token, path), expiresAt };
    },

    async open(token, page) {
      const link = links.find(token);
      if (link === null) throw new DomainError('not_found', 'this preview does not exist or has expired');
      const view = await findView(link.blogId, { layout: link.layout, page });
      if (view === null) throw new DomainError('not_found', 'the blog has no page at this address');
      if (view.layout !== 'redirect') return { html: await render(view, link, { token, ...link }) };
      const path = pathOn(view.blog.url, new URL(view.to, view.blog.url).href);
      if (path === null) throw new DomainError('not_found', 'this address leads away from the blog');
      return { movedTo: previewUrl(token, path) };
    },
  };

  /** A page; the list of posts for the root of a blog whose front page is not published, which redirects to it. */
  async function findShown(blogId: string, request: LayoutPreviewRequest): Promise<HtmlView | null> {
    const view = await findView(blogId, request);
    if (view?.layout !== 'redirect' || !/^\/*$/.test(request.page)) return view;
    const path = pathOn(view.blog.url, new URL(view.to, view.blog.url).href);
    return path === null ? null : findView(blogId, { ...request, page: path });
  }

  /** The page as a build would write it, or, for a link, fit for the URL of the link. */
  async function render(
    view: LayoutView,
    { accountId, layout }: TriedLayout,
    link: { readonly token: string; readonly expiresAt: string } | null = null,
  ): Promise<string> {
    const share = { owner: accountId };
    const frame = await translateRefusals('layout', async () => {
      const [result] = await layoutPool.frame(layout, view.blog.settings.language, [layoutData(view)], share);
      if (result === undefined || 'refused' in result) throw new LayoutRefused(result?.refused ?? '');
      return result.frame;
    });
    const layoutLink = link && {
      pageUrl: urlOf(view),
      blogUrl: view.blog.url,
      previewUrl: previewUrl(link.token, ''),
      expiresAt: link.expiresAt,
    };
    return translateRefusals('page', () => previewPool.render(view, share, { frame, layoutLink }));
  }
}

/** The 404 page is shown anywhere, and so as if it were at the root. */
const urlOf = (view: LayoutView): string => layoutData(view).page.url ?? view.blog.url;

/** The part of a URL below the blog's; null if it is elsewhere. */
const pathOn = (blogUrl: string, url: string): string | null =>
  url.startsWith(blogUrl) ? url.slice(blogUrl.length) : null;
