import { z } from 'zod';
import { translations } from '../addresses/schemas.ts';
import { postContent } from '../content/schemas.ts';
import { errorObject } from '../wire/error.ts';
import { timestampInput } from '../wire/text.ts';
import { detailsInput, parseDetailsPatch, postType } from './details-schemas.ts';
import { MAX_FORMER_SLUGS, type PostInput, postStatuses } from './post.ts';
import { createdPost, meta, publishedAt, slug, tags, title } from './schemas.ts';

/** Posts in a batch. */
const MAX_POSTS = 100;

const STATUS_ERROR = 'must be draft, published, or scheduled with scheduled_at';

/**
 * A new post. It also takes a post as responses and exports give it: with `content_md`, null for a date that it does
 * not have, and the status `scheduled`.
 */
export const createPostBody = z
  .object({
    type: postType,
    title,
    content: postContent.optional(),
    content_md: postContent
      .optional()
      .describe('The same as `content`, under the name that it has in responses and exports.'),
    slug: slug.optional().describe('Derived from the title if missing.'),
    tags: tags.default([]),
    status: z
      .enum(postStatuses, STATUS_ERROR)
      .default('draft')
      .describe('A scheduled post needs `scheduled_at`.')
      .meta({ example: 'published' }),
    published_at: publishedAt.nullable(),
    scheduled_at: timestampInput
      .nullish()
      .describe('When to publish a post with the status scheduled. In the future.')
      .meta({ example: null }),
    meta: meta.default({ description: null }),
    translations: translations
      .nullish()
      .describe('The post in other languages. Each translation has to name this post, too.'),
    previous_slugs: z
      .array(slug)
      .max(MAX_FORMER_SLUGS, `must be at most ${MAX_FORMER_SLUGS} slugs`)
      .optional()
      .describe('Slugs that the post had elsewhere or before. They redirect to it.')
      .meta({ example: ['hello'] }),
    ...detailsInput,
  })
  // These run also if another field is wrong, so that one response names all that is wrong.
  .refine(({ content, content_md }) => content !== undefined || content_md !== undefined, {
    path: ['content'],
    error: 'is missing',
    when: ({ value }) => hasNoContent(value),
  })
  .refine(
    ({ content, content_md }) => content === undefined || content_md === undefined || content === content_md,
    { path: ['content_md'], error: 'differs from content, which is another name of it: send one of them' },
  )
  .refine(({ status, published_at }) => status !== 'draft' || published_at == null, {
    path: ['published_at'],
    error: 'needs the status published; a draft gets its date from POST /v1/posts/{slug}/publish',
  })
  .refine(({ status, published_at }) => status !== 'scheduled' || published_at == null, {
    path: ['published_at'],
    error: 'a scheduled post has no date yet: it will be published as of its scheduled_at',
  })
  .refine(({ status, scheduled_at }) => status !== 'scheduled' || scheduled_at != null, {
    path: ['scheduled_at'],
    error: 'is missing: a scheduled post needs the time at which it is published',
  })
  .refine(({ status, scheduled_at }) => status === 'scheduled' || scheduled_at == null, {
    path: ['scheduled_at'],
    error: 'needs the status scheduled; a draft gets its date from POST /v1/posts/{slug}/schedule',
  })
  .meta({
    id: 'CreatePost',
    anyOf: [{ required: ['content'] }, { required: ['content_md'] }],
    // What most posts have: with every field, the reference would propose a date, a series and an original elsewhere.
    example: {
      title: 'Hello, world',
      content: 'My **first** post.',
      tags: ['greetings'],
      status: 'published',
    },
  });

const hasNoContent = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !('content' in value) &&
  !('content_md' in value);

export const parseNewPost = ({
  meta,
  published_at: publishedAt,
  scheduled_at: scheduledAt,
  previous_slugs: previousSlugs,
  ...post
}: z.infer<typeof createPostBody>): PostInput => ({
  type: post.type,
  title: post.title,
  content: post.content ?? post.content_md ?? '',
  slug: post.slug,
  tags: post.tags,
  status: post.status,
  translations: post.translations,
  ...parseDetailsPatch(post),
  publishedAt: publishedAt ?? undefined,
  scheduledAt: scheduledAt ?? undefined,
  previousSlugs,
  meta: { description: meta.description ?? null, ogImage: meta.og_image ?? null },
});

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
