import type { Frame } from '../layouts/engine.ts';
import type { HtmlView } from '../page.ts';
import { loadTemplates } from '../theme/templates.ts';
import { memoised } from '../workers/memoised.ts';
import { markStart, type StartedAt } from '../workers/timed-run.ts';
import { bannerOf } from './banner.ts';
import { ledTo } from './preview-links.ts';

/** A page to be shown before it is published. */
export interface PreviewTask {
  readonly view: HtmlView;
  readonly frame: Frame | null;
  /** Where it is read elsewhere than on its blog; null where it is only looked at. */
  readonly elsewhere: Elsewhere | null;
}

export interface Elsewhere {
  /** The page's own address on the blog, where it may not be yet. */
  readonly url: string;
  /** Until when it can be read there. */
  readonly until: string;
}

const templates = memoised(loadTemplates);

/** A thread of the pool. */
export default async function work({
  view,
  frame,
  elsewhere,
  startedAt,
}: PreviewTask & { startedAt: StartedAt }): Promise<string> {
  // Loading the theme is not this page's time.
  const renderView = await templates();
  markStart(startedAt);
  const html = renderView(view, frame);
  if (elsewhere === null) return html;
  const led = ledTo(elsewhere.url, html);
  return led.replace(/<body[^>]*>/, (body) => body + bannerOf(elsewhere.until));
}
