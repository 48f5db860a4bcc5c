import type { MarkdownPool } from '../../generator/markdown/pool.ts';
import { MarkdownRefused } from '../../generator/markdown/refused.ts';
import { MARKDOWN_VERSION } from '../../generator/markdown/version.ts';
import { DomainError } from '../domain/errors.ts';
import type { PostContent } from '../domain/post.ts';

/** Renders a post's source off this thread. Throws `bad_request` for one that cannot be rendered within bounds. */
export type RenderContent = (source: string) => Promise<PostContent>;

export const createRenderContent =
  (markdown: MarkdownPool): RenderContent =>
  async (source) => {
    try {
      return { ...(await markdown.render(source)), source, renderer: MARKDOWN_VERSION };
    } catch (error) {
      if (error instanceof MarkdownRefused) throw new DomainError('bad_request', `content: ${error.message}`);
      throw error;
    }
  };
