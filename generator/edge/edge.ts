/**
 * Where published files live: a folder, or a bucket behind a content delivery network. It is dumb; paths are
 * decoded, relative to the edge's root and separated by slashes (`sites/<blog slug>/<post slug>/index.html`).
 */
export interface Edge {
  /** Puts a file in place at once: a reader gets the old bytes or the new ones, never a part. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes files. One that is not there is no error. */
  remove(paths: readonly string[]): Promise<void>;
  /**
   * Has whatever keeps copies of files for readers forget these; a path that ends in `*` stands for all that begin
   * like it. Returns how many addresses were named there: 0 where there are none, or nothing keeps copies.
   */
  invalidate(paths: readonly string[]): Promise<number>;
}

/** An edge that also gives its files back. Pages are never read again, but of an image the edge has the only copy. */
export interface ReadableEdge extends Edge {
  /** Rejects where there is no file. */
  read(path: string): Promise<Uint8Array>;
}

/** Where a file of a blog lies on the edge. */
export const sitePath = (blogSlug: string, path: string): string =>
  path.startsWith('/') ? path.slice(1) : `sites/${blogSlug}/${path}`;
