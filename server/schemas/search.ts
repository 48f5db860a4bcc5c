import { z } from 'zod';
import type { Tiers } from '../domain/tier.ts';
import type { FoundPost } from '../store/search.ts';
import { pageQuery, pagination } from './pagination.ts';
import { filledLine, line, moment } from './text.ts';

const QUERY_MAX = 100;
const TAG_MAX = 50;
const PER_PAGE_MAX = 50;

export const searchQuery = z.object({ q: filledLine(QUERY_MAX), ...pageQuery(PER_PAGE_MAX) });

/** The empty tag stands for none, as forms send it. */
export const discoverQuery = searchQuery.extend({
  tag: line(TAG_MAX)
    .transform((tag) => tag || undefined)
    .optional(),
});

const foundPost = z.object({
  slug: z.string(),
  title: z.string(),
  /** About the first 200 characters of the post's text. */
  excerpt: z.string(),
  tags: z.array(z.string()),
  created_at: moment,
});

const discoveredPost = foundPost.extend({
  blog_name: z.string(),
  blog_domain: z.string(),
  url: z.url(),
  /** Where language models find the blog, from the Creator plan on. */
  llms_txt_url: z.url().nullable(),
});

export const foundPage = z.object({ data: z.array(foundPost), pagination });
export const discoveredPage = z.object({ data: z.array(discoveredPost), pagination });

export const presentFound = (post: FoundPost): z.infer<typeof foundPost> => ({
  slug: post.slug,
  title: post.title,
  excerpt: post.excerpt,
  tags: [...post.tags],
  created_at: post.createdAt,
});

/** `blogUrl`: absolute address of the front page of the post's blog. */
export const presentDiscovered = (
  post: FoundPost,
  blogUrl: string,
  tiers: Tiers,
): z.infer<typeof discoveredPost> => ({
  ...presentFound(post),
  blog_name: post.blog.name,
  blog_domain: new URL(blogUrl).host,
  url: `${blogUrl}${post.slug}/`,
  llms_txt_url: tiers[post.blog.tier].llmsTxt ? `${blogUrl}llms.txt` : null,
});
