import type { Frame } from '../layouts/engine.ts';
import type { HtmlView } from '../page.ts';
import { loadTemplates } from '../theme/templates.ts';
import { memoised } from '../workers/memoised.ts';
import { markStart, type StartedAt } from '../workers/timed-run.ts';
import { bannerOf } from './banner.ts';
import { ledTo } from './preview-links.ts';

/** A page to show before it is published. */
export interface PreviewTask {
  readonly view: HtmlView;
  readonly frame: Frame | null;
  /** Set if the page is shown at another URL than its own; null if the HTML is only returned. */
  readonly elsewhere: Elsewhere | null;
}

export interface Elsewhere {
  /** The page's own URL on the blog, where it may not be published yet. */
  readonly url: string;
  /** Expiry of the preview link. */
  readonly until: string;
}

const templates = memoised(loadTemplates);

/** The pool's worker thread. */
export default async function work({
  view,
  frame,
  elsewhere,
  startedAt,
}: PreviewTask & { startedAt: StartedAt }): Promise<string> {
  // Loading the theme does not count against this page's time limit.
  const renderView = await templates();
  markStart(startedAt);
  const html = renderView(view, frame);
  if (elsewhere === null) return html;
  const led = ledTo(elsewhere.url, html);
  return led.replace(/<body[^>]*>/, (body) => body + bannerOf(elsewhere.until));
}
