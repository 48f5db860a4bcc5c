/**
 * The store of published files: a folder, or a bucket behind a CDN. Paths are decoded, relative to the edge's root and
 * separated by slashes (`sites/<blog slug>/<post slug>/index.html`).
 */
export interface Edge {
  /** Maximum number of parallel writes. */
  readonly concurrency: number;
  /** Writes a file atomically: a reader gets the old bytes or the new ones. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes files. A missing file is not an error. */
  remove(paths: readonly string[]): Promise<void>;
  /**
   * Invalidates cached copies of files. A path that ends in `*` is a prefix. Returns the number of paths that were sent
   * to the CDN: 0 if the edge has none.
   */
  invalidate(paths: readonly string[]): Promise<number>;
}

/**
 * An edge whose files can be read and listed. Publishing never reads pages back, but the edge has the only copy of each
 * uploaded image.
 */
export interface ReadableEdge extends Edge {
  /** Rejects if the file does not exist. */
  read(path: string): Promise<Uint8Array>;
  /**
   * All files below a folder (`sites/ink/`; the empty string lists everything), sorted by the bytes of their paths.
   * Leaves out unfinished writes and the edge's own internal files.
   */
  list(folder: string): AsyncIterable<ListedFile>;
}

export interface ListedFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /**
   * MD5 of the bytes in hexadecimal, if the edge has it without reading the file; otherwise null. Equal values prove
   * that files are equal; different values prove nothing, because an encrypting bucket reports a different hash.
   */
  readonly md5: string | null;
}

/** Error codes for a missing file, of file systems and S3. */
const MISSING_FILE_CODES: readonly string[] = ['ENOENT', 'ENOTDIR', 'EISDIR', 'NoSuchKey'];

/** A file's bytes; null if the file does not exist. Rejects on any other failure. */
export async function readIfExists(
  edge: Pick<ReadableEdge, 'read'>,
  path: string,
): Promise<Uint8Array | null> {
  try {
    return await edge.read(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && MISSING_FILE_CODES.includes(String(error.code)))
      return null;
    throw error;
  }
}
