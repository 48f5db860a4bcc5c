import { MarkdownRefused } from '../../generator/markdown/refused.ts';
import { MARKDOWN_VERSION } from '../../generator/markdown/version.ts';
import { type TaskOwner, TooMuchWaiting } from '../../generator/workers/fair-queue.ts';
import { DomainError } from '../runtime/errors.ts';
import type { PostContent } from './post-content.ts';
import type { RenderedPost, RenderPost } from './render-post.ts';

/**
 * Renders a post's source in another thread. The owner in `share` is an account id: accounts take turns. Throws
 * `bad_request` for a source over the renderer's limits, and `rate_limit_exceeded` while too many posts of the
 * account are queued.
 */
export type RenderContent = (source: string, share: TaskOwner) => Promise<PostContent & RenderedPost>;

const RETRY_SECONDS = 5;

export const createRenderContent =
  (renderPost: RenderPost): RenderContent =>
  async (source, share) => {
    try {
      return { ...(await renderPost(source, share)), source, renderer: MARKDOWN_VERSION };
    } catch (error) {
      if (error instanceof MarkdownRefused) throw new DomainError('bad_request', `content: ${error.message}`);
      if (error instanceof TooMuchWaiting) {
        const message = 'too many posts of this account are waiting to be rendered: send fewer at once';
        throw new DomainError('rate_limit_exceeded', message, { retryAfter: RETRY_SECONDS });
      }
      throw error;
    }
  };
