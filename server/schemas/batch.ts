import { z } from 'zod';
import { createdPost } from './posts.ts';

const POSTS_MAX = 100;

/** Each post is judged by itself, as a body of `POST /posts`. */
export const batchBody = z.object({
  posts: z.array(z.unknown()).min(1, 'must hold a post').max(POSTS_MAX, `must be at most ${POSTS_MAX} posts`),
});

export const errorObject = z.object({
  error: z.string(),
  message: z.string(),
  upgrade_url: z.string().optional(),
  retry_after: z.int().optional(),
});

/** One result for each post, in their order: what `POST /posts` would have answered. */
export const batchResults = z.object({
  results: z.array(
    z.union([
      z.object({ status: z.literal(201), post: createdPost }),
      z.object({ status: z.int(), error: errorObject }),
    ]),
  ),
});
