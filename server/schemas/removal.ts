import { z } from 'zod';

export const deletedBlog = z.object({ deleted: z.literal(true) });

export const deletedAccount = z.object({ deleted: z.literal(true), message: z.string() });

export const presentDeletedAccount = ({ blogs }: { blogs: number }): z.infer<typeof deletedAccount> => ({
  deleted: true,
  message: `The account and its ${blogs === 1 ? 'blog' : `${blogs} blogs`} are deleted for good.`,
});
