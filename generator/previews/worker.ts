import type { LayoutFrame } from '../layouts/engine.ts';
import type { HtmlView } from '../page.ts';
import { loadTemplates } from '../theme/templates.ts';
import { pageLanguage } from '../words/page-language.ts';
import { memoised } from '../workers/memoised.ts';
import { markStart, type StartedAt } from '../workers/timed-run.ts';
import { layoutBanner, previewBanner } from './banner.ts';
import { type LayoutPreviewPlaces, leadLinks } from './lead-links.ts';
import { resolveLinks } from './resolve-links.ts';

/** A page to show before it is published. */
export interface PreviewTask {
  readonly view: HtmlView;
  readonly frame: LayoutFrame | null;
  /** Set if the page is shown at another URL than its own; both are null if the HTML is only returned. */
  readonly previewLink: PreviewLink | null;
  readonly layoutLink: LayoutLink | null;
}

export interface PreviewLink {
  /** The page's own URL on the blog, where it may not be published yet. */
  readonly url: string;
  /** Expiry of the preview link. */
  readonly expiresAt: string;
}

/** The page of a blog in a layout that is not stored. */
export interface LayoutLink extends LayoutPreviewPlaces {
  readonly expiresAt: string;
}

const loadedTemplates = memoised(loadTemplates);

/** The pool's worker thread. */
export default async function work({
  view,
  frame,
  previewLink,
  layoutLink,
  startedAt,
}: PreviewTask & { startedAt: StartedAt }): Promise<string> {
  // Loading the theme does not count against this page's time limit.
  const renderView = await loadedTemplates();
  markStart(startedAt);
  if (layoutLink !== null)
    return leadLinks(renderView(view, frame, layoutBanner(layoutLink.expiresAt)), layoutLink);
  if (previewLink === null) return renderView(view, frame);
  const banner = previewBanner(previewLink.expiresAt, pageLanguage(view));
  return resolveLinks(previewLink.url, renderView(view, frame, banner));
}
