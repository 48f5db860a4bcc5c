import type { RenderedMarkdown } from '../../generator/markdown/render.ts';

/** A post's source and everything rendered from it. */
export interface PostContent extends RenderedMarkdown {
  readonly source: string;
  /** Version of the Markdown pipeline that rendered it. */
  readonly renderer: number;
}
