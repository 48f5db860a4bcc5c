import { z } from 'zod';
import { blogSlugPattern } from '../domain/slug.ts';
import type { CreatedBlog } from '../services/blogs.ts';
import type { Blog } from '../store/blogs.ts';
import { characters, filledLine, moment, storableText } from './text.ts';

const NAME_MAX = 200;
const DESCRIPTION_MAX = 1_000;

const slug = z
  .string()
  .regex(
    blogSlugPattern,
    'must be 1 to 63 lower-case letters (a-z), digits and hyphens, and begin and end with a letter or digit',
  );

const description = storableText()
  .trim()
  .refine((text) => characters(text) <= DESCRIPTION_MAX, `must be at most ${DESCRIPTION_MAX} characters`);

export const createBlogBody = z.object({
  slug,
  name: filledLine(NAME_MAX),
  description: description.default(''),
});

export const createdBlog = z.object({
  id: z.uuid(),
  slug,
  name: z.string(),
  url: z.url(),
  created_at: moment,
  rebuild_id: z.uuid(),
});

export const blogList = z.object({
  data: z.array(
    z.object({
      id: z.uuid(),
      slug,
      name: z.string(),
      description: z.string(),
      custom_domain: z.string().nullable(),
      created_at: moment,
      updated_at: moment,
    }),
  ),
});

export const presentCreatedBlog = (
  { blog, rebuildId }: CreatedBlog,
  url: string,
): z.infer<typeof createdBlog> => ({
  id: blog.id,
  slug: blog.slug,
  name: blog.name,
  url,
  created_at: blog.createdAt,
  rebuild_id: rebuildId,
});

export const presentBlogs = (blogs: readonly Blog[]): z.infer<typeof blogList> => ({
  data: blogs.map((blog) => ({
    id: blog.id,
    slug: blog.slug,
    name: blog.name,
    description: blog.description,
    custom_domain: blog.customDomain,
    created_at: blog.createdAt,
    updated_at: blog.updatedAt,
  })),
});
