import type { MarkdownPool } from '../../generator/markdown/pool.ts';
import type { RenderedMarkdown } from '../../generator/markdown/render.ts';
import type { TaskOwner } from '../../generator/workers/fair-queue.ts';
import type { Db } from '../database/database.ts';
import { findMediaAddresses } from '../image-processing/image.ts';
import { variantFormats } from '../image-processing/image-variant.ts';
import { findShownImages, type ShownImage } from '../media/store.ts';

export interface RenderedPost extends RenderedMarkdown {
  /** Ids of its images that have no variants yet. The post is rendered again when they have. */
  readonly imagesWithoutVariants: readonly string[];
}

/** Renders a post's source with the sizes and variants of its images. Rejects as `MarkdownPool.render` does. */
export type RenderPost = (source: string, share: TaskOwner) => Promise<RenderedPost>;

export interface RenderPostDependencies {
  readonly db: Db;
  readonly markdown: Pick<MarkdownPool, 'render'>;
  /** URL of uploaded images, without a trailing slash. */
  readonly mediaUrl: string;
}

/** Images looked up per post. Later ones are treated as external images. */
const MAX_IMAGES = 1_000;

export function createRenderPost({ db, markdown, mediaUrl }: RenderPostDependencies): RenderPost {
  const mediaUrlOf = (path: string) => mediaUrl + path.slice('media'.length);

  /** Sources for `<picture>`, best format first. */
  const sourcesOf = ({ variants }: ShownImage) =>
    variantFormats.flatMap((format) => {
      const files = variants.filter((variant) => variant.format === format);
      if (files.length === 0) return [];
      const addresses = files.map(({ path, width }) => ({ address: mediaUrlOf(path), width }));
      return [{ type: `image/${format}`, files: addresses }];
    });

  return async (source, share) => {
    const mentioned = findMediaAddresses(source, mediaUrl).slice(0, MAX_IMAGES);
    const found = await findShownImages(
      db,
      mentioned.map(({ id }) => id),
    );
    const shown = mentioned.flatMap(({ address, id }) => {
      const image = found.get(id);
      return image && mediaUrlOf(image.path) === address ? [{ id, address, image }] : [];
    });
    const images = new Map(
      shown.map(({ address, image }) => {
        const { width, height } = image;
        return [address, { width, height, sources: sourcesOf(image) }];
      }),
    );
    const rendered = await markdown.render(source, share, images);
    return {
      ...rendered,
      imagesWithoutVariants: shown.flatMap(({ id, image }) => (image.hasPendingVariants ? [id] : [])),
    };
  };
}
