/** A picture that a post has beside its text. */
export interface Picture {
  /** Absolute URL. */
  readonly url: string;
  /** In pixels; null for a picture that was not uploaded. */
  readonly width: number | null;
  readonly height: number | null;
  /** The same picture in other formats, best first. */
  readonly sources: readonly ImageSource[];
}

/** A picture in one format. */
export interface ImageSource {
  /** Media type: `image/avif`. */
  readonly type: string;
  /** The files, narrowest first; widths are in pixels. */
  readonly files: readonly { readonly address: string; readonly width: number }[];
}

/** The picture at the head of a post and beside its title in lists. */
export interface CoverImage extends Picture {
  /** What it shows, for readers who do not see it; empty if it only decorates. */
  readonly alt: string;
}
