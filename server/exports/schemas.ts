import { z } from 'zod';
import type { Blog } from '../blogs/blog.ts';
import { postStatuses } from '../posts/post.ts';
import { timestamp } from '../wire/text.ts';
import type { AccountExport, ExportedPost } from './account-export.ts';

const exportedBlog = z.object({
  slug: z.string().meta({ example: 'notes' }),
  name: z.string().meta({ example: 'Notes' }),
  description: z.string().meta({ example: 'What we found out.' }),
});

const exportedPost = z.object({
  slug: z.string().meta({ example: 'hello-world' }),
  title: z.string().meta({ example: 'Hello, world' }),
  content_md: z.string().meta({ example: 'My **first** post.' }),
  tags: z.array(z.string()).meta({ example: ['greetings'] }),
  status: z.enum(postStatuses).meta({ example: 'published' }),
  created_at: timestamp,
});

export const accountExport = z
  .object({
    exported_at: timestamp,
    user_id: z.uuid(),
    blogs: z.array(z.object({ blog: exportedBlog, posts: z.array(exportedPost) })),
    total_posts: z.int().min(0).meta({ example: 1 }),
    truncated: z.boolean().optional().meta({
      description:
        'Whether posts were left out. Present once the account has as many posts as an export can hold.',
      example: false,
    }),
  })
  .meta({ id: 'AccountExport' });

/** The JSON text of an `accountExport` in pieces, because the whole may exceed the maximum length of a string. */
export async function* presentExport(exported: AccountExport): AsyncGenerator<string> {
  const { exportedAt, accountId, blogs, truncated } = exported;
  yield `{"exported_at":${JSON.stringify(exportedAt)},"user_id":${JSON.stringify(accountId)},"blogs":[`;
  let total = 0;
  for (const [index, { blog, posts }] of blogs.entries()) {
    yield `${index === 0 ? '' : ','}{"blog":${JSON.stringify(presentBlog(blog))},"posts":[`;
    let separator = '';
    for await (const post of posts) {
      yield separator + JSON.stringify(presentPost(post));
      separator = ',';
      total += 1;
    }
    yield ']}';
  }
  yield `],"total_posts":${total}${truncated === null ? '' : `,"truncated":${truncated}`}}`;
}

const presentBlog = ({ slug, name, description }: Blog): z.infer<typeof exportedBlog> => ({
  slug,
  name,
  description,
});

const presentPost = (post: ExportedPost): z.infer<typeof exportedPost> => ({
  slug: post.slug,
  title: post.title,
  content_md: post.contentMd,
  tags: [...post.tags],
  status: post.status,
  created_at: post.createdAt,
});
