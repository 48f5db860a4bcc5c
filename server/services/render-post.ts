import type { Share } from '../../generator/markdown/fair-queue.ts';
import type { MarkdownPool } from '../../generator/markdown/pool.ts';
import type { RenderedMarkdown } from '../../generator/markdown/render.ts';
import { mediaAddresses } from '../domain/image.ts';
import type { Db } from '../store/database.ts';
import { findImageSizes } from '../store/images.ts';

/** Renders a post's source with all that is known of the images in it. Rejects as `MarkdownPool.render` does. */
export type RenderPost = (source: string, share: Share) => Promise<RenderedMarkdown>;

export interface RenderPostDependencies {
  readonly db: Db;
  readonly markdown: Pick<MarkdownPool, 'render'>;
  /** Where uploaded images are served, without a slash at its end. */
  readonly mediaUrl: string;
}

/** Images whose sizes are looked up for one post; what comes after them is shown without. */
const MAX_IMAGES = 1_000;

export const createRenderPost =
  ({ db, markdown, mediaUrl }: RenderPostDependencies): RenderPost =>
  async (source, share) => {
    const addresses = mediaAddresses(source, mediaUrl).slice(0, MAX_IMAGES);
    const sizes = await findImageSizes(
      db,
      addresses.map(({ id }) => id),
    );
    const images = new Map(
      addresses.flatMap(({ address, id }) => {
        const size = sizes.get(id);
        return size === undefined ? [] : [[address, size] as const];
      }),
    );
    return markdown.render(source, share, images);
  };
