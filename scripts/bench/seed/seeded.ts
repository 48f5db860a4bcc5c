import { z } from 'zod';

const seededBlog = z.object({
  id: z.string(),
  slug: z.string(),
  /** How many posts it has, all of them published. */
  size: z.number(),
  /** The rebuild that brings them to the edge. */
  rebuildId: z.string(),
  /** Of its account. */
  key: z.string(),
});
export type SeededBlog = z.infer<typeof seededBlog>;

export const seeded = z.object({
  /** A key of the account that has the blogs, or the first of them. */
  key: z.string(),
  blogs: z.array(seededBlog),
});
export type Seeded = z.infer<typeof seeded>;
