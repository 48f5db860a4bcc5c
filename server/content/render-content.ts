import { MARKDOWN_VERSION } from '../../generator/markdown/version.ts';
import { translateRefusals } from '../runtime/refusals.ts';
import type { PostContent } from './post-content.ts';
import type { RenderedPost, RenderPost } from './render-post.ts';

/** A post's content, before it is stored. */
export type RenderedContent = PostContent & RenderedPost;

/**
 * Renders a post's source in another thread; accounts take turns. Throws `bad_request` for a source over the renderer's
 * limits, and `rate_limit_exceeded` while too many posts of the account are queued.
 */
export type RenderContent = (source: string, accountId: string) => Promise<RenderedContent>;

const TOO_MUCH_WAITING = 'too many posts of this account are waiting to be rendered: send fewer at once';

export const createRenderContent =
  (renderPost: RenderPost): RenderContent =>
  async (source, accountId) => ({
    ...(await translateRefusals('content', () => renderPost(source, accountId), TOO_MUCH_WAITING)),
    source,
    renderer: MARKDOWN_VERSION,
  });
