import type { MarkdownPool } from '../../generator/markdown/pool.ts';
import type { RenderedMarkdown } from '../../generator/markdown/render.ts';
import type { TaskOwner } from '../../generator/workers/fair-queue.ts';
import type { Db } from '../database/database.ts';
import { findNamedImages } from '../media/pictures.ts';

export interface RenderedPost extends RenderedMarkdown {
  /** Paths below the media folder of the account's images that the source names; its HTML has references to them. */
  readonly imagePaths: readonly string[];
  /** Ids of its images that have no variants yet. The post is rendered again when they have. */
  readonly imagesWithoutVariants: readonly string[];
}

/**
 * Renders a post's source with references to the images of its account, and their sizes and variants. Rejects as
 * `MarkdownPool.render` does. Where the service and its images are makes no difference.
 */
export type RenderPost = (source: string, accountId: string, share?: TaskOwner) => Promise<RenderedPost>;

export interface RenderPostDependencies {
  readonly db: Db;
  readonly markdown: Pick<MarkdownPool, 'render'>;
}

export const createRenderPost =
  ({ db, markdown }: RenderPostDependencies): RenderPost =>
  async (source, accountId, share = { owner: accountId }) => {
    const images = await findNamedImages(db, accountId, source);
    const waiting = new Set([...images.values()].flatMap((one) => (one.hasPendingVariants ? [one.id] : [])));
    return {
      ...(await markdown.render(source, share, images)),
      imagePaths: [...images.keys()],
      imagesWithoutVariants: [...waiting],
    };
  };
