import { z } from 'zod';
import { errorObject } from '../wire/error.ts';
import { createPostBody } from './create-schemas.ts';
import { createdPost } from './schemas.ts';

const MAX_POSTS = 100;

/** Each post is validated separately, as a body of `POST /posts`. */
export const batchBody = z
  .object({
    posts: z
      .array(z.unknown().meta({ $ref: '#/components/schemas/CreatePost' }))
      .min(1, 'must contain at least one post')
      .max(MAX_POSTS, `must be at most ${MAX_POSTS} posts`)
      .meta({
        example: [
          { title: 'One', content: 'First.' },
          { title: 'Two', content: 'Second.' },
        ],
      }),
  })
  .meta({ id: 'CreatePosts' });

/** All fields of a batch. */
export const batchFields = z.object({ posts: z.array(createPostBody) });

/** One result for each post, in order, as `POST /posts` would have responded. */
export const batchResults = z
  .object({
    results: z.array(
      z.union([
        z.object({ status: z.literal(201), post: createdPost }),
        z.object({ status: z.int(), error: errorObject }),
      ]),
    ),
  })
  .meta({ id: 'CreatedPosts' });
