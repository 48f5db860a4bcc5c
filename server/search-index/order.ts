import { z } from 'zod';

/** What the process that makes a base is told. */
export const Order = z.object({
  databaseFile: z.string(),
  blogId: z.string(),
  /** An empty folder. */
  folder: z.string(),
});

/** What it answers when the base is in the folder; null where the blog is gone. */
export const Reply = z
  .object({
    slug: z.string(),
    /** The last change of the blog's posts that the base knows. */
    lastChange: z.number(),
    /** Paths in the folder, in the order in which they are to be put in place, and SHA-256 in hexadecimal. */
    files: z.array(z.object({ path: z.string(), hash: z.string() })),
  })
  .nullable();
export type Reply = z.infer<typeof Reply>;
