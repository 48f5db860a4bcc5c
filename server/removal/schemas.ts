import { z } from 'zod';

export const deletedBlog = z.object({ deleted: z.literal(true) }).meta({ id: 'DeletedBlog' });

export const deletedAccount = z
  .object({ deleted: z.literal(true), message: z.string() })
  .meta({ id: 'DeletedAccount' });

export const presentDeletedAccount = ({ blogs }: { blogs: number }): z.infer<typeof deletedAccount> => ({
  deleted: true,
  message: `The account and its ${blogs === 1 ? 'blog' : `${blogs} blogs`} are deleted for good.`,
});
