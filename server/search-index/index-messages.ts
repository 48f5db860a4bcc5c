import { z } from 'zod';

/** Input of the process that builds a search index. */
export const IndexRequest = z.object({
  databaseFile: z.string(),
  blogId: z.string(),
  /** An empty folder. */
  folder: z.string(),
});

/** Its output when the index is in the folder; null if the blog is gone or taken down. */
export const IndexResult = z
  .object({
    /** The blog's folder on the edge. */
    folder: z.string(),
    /** The blog's last change that the index includes. */
    lastChange: z.number(),
    /** Paths in the folder, in the order in which they must be published, with SHA-256 hashes in hexadecimal. */
    files: z.array(z.object({ path: z.string(), hash: z.string() })),
  })
  .nullable();
export type IndexResult = z.infer<typeof IndexResult>;
