/**
 * Where published files live: a folder, or a bucket behind a content delivery network. It is dumb; paths are
 * decoded, relative to the edge's root and separated by slashes (`sites/<blog slug>/<post slug>/index.html`).
 */
export interface Edge {
  /** How many writes it takes at once. */
  readonly concurrency: number;
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

/**
 * An edge that also gives its files back. To publish, pages are never read again, but of an image the edge has the only
 * copy.
 */
export interface ReadableEdge extends Edge {
  /** Rejects where there is no file. */
  read(path: string): Promise<Uint8Array>;
  /**
   * All files below a folder (`sites/ink/`; the empty text is everything), by path in the order of its bytes. What is
   * being written is left out, and so is what the edge keeps for itself.
   */
  list(folder: string): AsyncIterable<ListedFile>;
}

export interface ListedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /**
   * What is the MD5 of the bytes in hexadecimal on most edges, and null on those that would have to read them. Equality
   * with another proves that the files are equal, and difference nothing: a bucket that encrypts has something else here.
   */
  readonly md5: string | null;
}

/** How an edge says that there is no file: a file system, and S3. */
const MISSING: readonly string[] = ['ENOENT', 'ENOTDIR', 'EISDIR', 'NoSuchKey'];

/** A file's bytes; null where there is none. Rejects where the edge does not say. */
export async function readIfThere(
  edge: Pick<ReadableEdge, 'read'>,
  path: string,
): Promise<Uint8Array | null> {
  try {
    return await edge.read(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && MISSING.includes(String(error.code))) return null;
    throw error;
  }
}

/** Where a file of a blog lies on the edge. */
export const sitePath = (blogSlug: string, path: string): string =>
  path.startsWith('/') ? path.slice(1) : `sites/${blogSlug}/${path}`;
