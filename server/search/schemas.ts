import { z } from 'zod';
import { absoluteUrl, LLMS, postUrl } from '../../generator/addresses.ts';
import type { Tiers } from '../tiers/tier.ts';
import { pageQuery, pagination } from '../wire/pagination.ts';
import { filledLine, line, timestamp } from '../wire/text.ts';
import type { FoundPost } from './found-post.ts';

const MAX_QUERY = 100;
const MAX_TAG = 50;
const MAX_PER_PAGE = 50;

export const searchQuery = z.object({
  q: filledLine(MAX_QUERY).meta({
    description: 'Words that posts must contain; the last one may be incomplete.',
    example: 'hello',
  }),
  ...pageQuery(MAX_PER_PAGE),
});

/** An empty tag means none, because forms send it so. */
export const discoverQuery = searchQuery.extend({
  tag: line(MAX_TAG)
    .transform((tag) => tag || undefined)
    .optional()
    .describe('Only posts with this tag.'),
});

const foundPost = z
  .object({
    slug: z.string().meta({ example: 'hello-world' }),
    title: z.string().meta({ example: 'Hello, world' }),
    excerpt: z.string().meta({
      description:
        "About the first 200 characters of the post's text, without code, tables and formulas that stand alone; its description if there is nothing else.",
      example: 'My first post.',
    }),
    tags: z.array(z.string()).meta({ example: ['greetings'] }),
    created_at: timestamp,
  })
  .meta({ id: 'FoundPost' });

const discoveredPost = foundPost
  .extend({
    blog_name: z.string().meta({ example: 'Notes' }),
    blog_domain: z.string().meta({ example: 'notes.example.org' }),
    url: z.url().meta({ example: 'https://notes.example.org/hello-world/' }),
    llms_txt_url: z.url().nullable().meta({
      description: 'The blog for language models; null below the Creator plan.',
      example: 'https://notes.example.org/llms.txt',
    }),
  })
  .meta({ id: 'DiscoveredPost' });

export const foundPage = z.object({ data: z.array(foundPost), pagination }).meta({ id: 'FoundPage' });
export const discoveredPage = z
  .object({ data: z.array(discoveredPost), pagination })
  .meta({ id: 'DiscoveredPage' });

export const presentFoundPost = (post: FoundPost): z.infer<typeof foundPost> => ({
  slug: post.slug,
  title: post.title,
  excerpt: post.excerpt,
  tags: [...post.tags],
  created_at: post.createdAt,
});

/** `blogUrl` is the absolute URL of the root of the post's blog. */
export const presentDiscoveredPost = (
  post: FoundPost,
  blogUrl: string,
  tiers: Tiers,
): z.infer<typeof discoveredPost> => ({
  ...presentFoundPost(post),
  blog_name: post.blog.name,
  blog_domain: new URL(blogUrl).host,
  url: postUrl(blogUrl, post.slug),
  llms_txt_url: tiers[post.blog.tier].llmsTxt ? absoluteUrl(blogUrl, LLMS) : null,
});
