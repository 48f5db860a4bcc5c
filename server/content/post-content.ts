import type { RenderedMarkdown } from '../../generator/markdown/render.ts';

/** A post's source and everything rendered from it. */
export interface PostContent extends RenderedMarkdown {
  /** Paths below the media folder of the account's images that the source names; its HTML has references to them. */
  readonly imagePaths: readonly string[];
  readonly source: string;
  /** Version of the Markdown pipeline that rendered it. */
  readonly renderer: number;
}
