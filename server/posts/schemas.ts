import { z } from 'zod';
import { postUrl } from '../../generator/addresses.ts';
import { ownPreviewImage } from '../../generator/preview-image.ts';
import { postTypes } from '../../generator/site/post.ts';
import { resolveAddress } from '../addresses/image-addresses.ts';
import { translations, translationsResponse } from '../addresses/schemas.ts';
import { postSlugPattern } from '../addresses/slug.ts';
import { webAddress } from '../blogs/author-schema.ts';
import { postContent } from '../content/schemas.ts';
import { resolveHtml } from '../media/references.ts';
import { presentRebuild, rebuildId } from '../rebuilds/schemas.ts';
import { presentTakeDown, takeDownFields } from '../take-downs/schemas.ts';
import { pageQuery, pagination } from '../wire/pagination.ts';
import { filledLine, line, timestamp, timestampInput } from '../wire/text.ts';
import { detailsInput, detailsResponse, parseDetailsPatch, presentDetails } from './details-schemas.ts';
import type { PostPatch, ScheduledPost, WrittenPost } from './post.ts';
import { type Post, type PostSummary, postStatuses } from './post.ts';

/**
 * Limits of the interface, except those of titles, descriptions and image addresses: it names none, so these are
 * ours.
 */
const MAX_TAGS = 10;
const MAX_TAG = 50;
const MAX_TITLE = 500;
const MAX_DESCRIPTION = 1_000;
const MAX_PER_PAGE = 100;

export const title = filledLine(MAX_TITLE).meta({ example: 'Hello, world' });

export const slug = z
  .string()
  .regex(postSlugPattern, 'must be 1 to 100 lower-case letters (a-z), digits and hyphens')
  .meta({ example: 'hello-world' });

export const tags = z
  .array(filledLine(MAX_TAG))
  .max(MAX_TAGS, `must have at most ${MAX_TAGS} tags`)
  .meta({ example: ['greetings'] });

const imageAddress = webAddress.meta({ format: 'uri', example: 'https://example.org/hello.png' });

/** A null or empty description means "derived from the content", a null image "the post's preview card". */
export const meta = z.object({
  description: line(MAX_DESCRIPTION)
    .nullish()
    .transform((text) => (text === '' ? null : text))
    .meta({
      description: 'Derived from the content if null or empty.',
      example: 'The first post of all.',
    }),
  og_image: imageAddress
    .nullish()
    .describe('If null, a preview card is drawn for the post. It may be the address of an uploaded image.'),
});

export const publishedAt = timestampInput
  .optional()
  .describe(
    'When the post was first published, in the past, such as 2019-03-14T09:30:00+01:00: its place in lists.',
  );

export const updatePostBody = z
  .object({
    title: title.optional().meta({ example: 'Hello again, world' }),
    content: postContent.optional(),
    slug: slug.optional().describe('The former address redirects to the new one.'),
    tags: tags.optional(),
    published_at: publishedAt
      .nullable()
      .describe(
        'Only for a published post, which moves to its new place in lists. Null, as in responses, for any other.',
      ),
    meta: meta.optional(),
    translations: translations
      .nullish()
      .describe('Replaces all translations; an empty object or null removes them.'),
    ...detailsInput,
  })
  .meta({ id: 'UpdatePost', example: { title: 'Hello again, world', tags: ['greetings'] } });

export const parsePostPatch = ({
  meta,
  published_at: publishedAt,
  ...patch
}: z.infer<typeof updatePostBody>): PostPatch => ({
  title: patch.title,
  content: patch.content,
  slug: patch.slug,
  tags: patch.tags,
  translations: patch.translations,
  ...parseDetailsPatch(patch),
  publishedAt,
  ...(meta && { meta: { description: meta.description, ogImage: meta.og_image } }),
});

export const listPostsQuery = z.object({
  type: z.enum(postTypes).optional().describe('Only posts, or only pages; both if missing.'),
  status: z.enum(postStatuses).optional(),
  tag: line(MAX_TAG).optional().describe('Only posts with this tag.'),
  ...pageQuery(MAX_PER_PAGE),
  sort: z.enum(['created_at', 'updated_at', 'published_at']).default('created_at'),
  order: z.enum(['desc', 'asc']).default('desc'),
});

const status = z.enum(postStatuses).meta({ example: 'published' });

const url = z.url().meta({ example: 'https://notes.example.org/hello-world/' });

export const createdPost = z
  .object({ id: z.uuid(), slug, url, status, created_at: timestamp, rebuild_id: rebuildId })
  .meta({ id: 'CreatedPost' });

export const publishPostBody = z
  .object({ published_at: publishedAt })
  .meta({ id: 'PublishPost', example: {} });

export const publishedPost = z
  .object({
    id: z.uuid(),
    slug,
    url,
    status: z.literal('published'),
    published_at: timestamp,
    rebuild_id: rebuildId,
  })
  .meta({ id: 'PublishedPost' });

export const schedulePostBody = z
  .object({
    scheduled_at: timestampInput.meta({
      description: 'A time in the future: ISO 8601 with a time zone.',
      example: '2099-05-01T09:00:00+02:00',
    }),
  })
  .meta({ id: 'SchedulePost' });

export const scheduledPost = z
  .object({
    id: z.uuid(),
    slug,
    status: z.literal('scheduled'),
    scheduled_at: timestamp.meta({ example: '2099-05-01T07:00:00.000Z' }),
    rebuild_id: rebuildId,
  })
  .meta({ id: 'ScheduledPost' });

export const unpublishedPost = z
  .object({ id: z.uuid(), slug, status: z.literal('draft'), rebuild_id: rebuildId })
  .meta({ id: 'UnpublishedPost' });

export const deletedPost = z
  .object({ deleted: z.literal(true), rebuild_id: rebuildId })
  .meta({ id: 'DeletedPost' });

const postSummary = z
  .object({
    id: z.uuid(),
    title: z.string().meta({ example: 'Hello, world' }),
    slug,
    status,
    tags: z.array(z.string()).meta({ example: ['greetings'] }),
    meta_description: z
      .string()
      .meta({ description: 'As given, or derived from the content.', example: 'The first post of all.' }),
    published_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    type: z.literal('page').optional().describe('Only of a page.'),
  })
  .meta({ id: 'PostSummary' });

export const postPage = z.object({ data: z.array(postSummary), pagination }).meta({ id: 'PostPage' });

export const fullPost = postSummary
  .extend({
    blog_id: z.uuid(),
    url,
    content_md: z.string().meta({ description: 'As its author wrote it.', example: 'My **first** post.' }),
    content_html: z.string().meta({
      description: 'With the addresses that uploaded images have today.',
      example: '<p>My <strong>first</strong> post.</p>',
    }),
    og_image_url: z
      .url()
      .nullable()
      .meta({
        description:
          'As given (an uploaded image with its address of today), or the preview card of the post; null until the card ' +
          'is drawn.',
        example: 'https://example.org/hello.png',
      }),
    scheduled_at: timestamp.nullable().meta({ example: null }),
    translations: translationsResponse,
    ...detailsResponse,
    ...takeDownFields,
  })
  .meta({ id: 'Post' });

export const changedPost = fullPost.extend({ rebuild_id: rebuildId }).meta({ id: 'ChangedPost' });

export const presentCreated = (post: WrittenPost, blogUrl: string): z.infer<typeof createdPost> => ({
  id: post.id,
  slug: post.slug,
  url: postUrl(blogUrl, post.slug),
  status: post.status,
  created_at: post.createdAt,
  ...presentRebuild(post),
});

export const presentPublished = (post: WrittenPost, blogUrl: string): z.infer<typeof publishedPost> => ({
  id: post.id,
  slug: post.slug,
  url: postUrl(blogUrl, post.slug),
  status: 'published',
  published_at: post.publishedAt ?? post.createdAt,
  ...presentRebuild(post),
});

export const presentScheduled = (post: ScheduledPost): z.infer<typeof scheduledPost> => ({
  id: post.id,
  slug: post.slug,
  status: 'scheduled',
  scheduled_at: post.scheduledAt,
  ...presentRebuild(post),
});

export const presentUnpublished = (post: WrittenPost): z.infer<typeof unpublishedPost> => ({
  id: post.id,
  slug: post.slug,
  status: 'draft',
  ...presentRebuild(post),
});

export const presentSummary = (post: PostSummary): z.infer<typeof postSummary> => ({
  id: post.id,
  title: post.title,
  slug: post.slug,
  status: post.status,
  tags: [...post.tags],
  meta_description: post.metaDescription,
  published_at: post.publishedAt,
  created_at: post.createdAt,
  updated_at: post.updatedAt,
  ...(post.type === 'page' && { type: 'page' as const }),
});

export const presentPost = (post: Post, blogUrl: string, mediaUrl: string): z.infer<typeof fullPost> => ({
  ...presentSummary(post),
  blog_id: post.blogId,
  url: postUrl(blogUrl, post.slug),
  content_md: post.contentMd,
  content_html: resolveHtml(post.contentHtml, mediaUrl),
  og_image_url: previewImageUrl(post, mediaUrl) ?? cardUrl(post, blogUrl),
  scheduled_at: post.scheduledAt,
  translations: post.translations,
  ...presentDetails(post, mediaUrl),
  ...presentTakeDown(post),
});

/** The image for link previews that the author chose; null for the card. */
function previewImageUrl(post: Post, mediaUrl: string): string | null {
  const chosen = ownPreviewImage(post);
  return chosen && resolveAddress(chosen.url, mediaUrl);
}

const cardUrl = ({ cardPath }: Post, blogUrl: string): string | null =>
  cardPath === null ? null : `${blogUrl}${cardPath}`;

export const presentDeleted = (removed: { rebuildId: string | null }): z.infer<typeof deletedPost> => ({
  deleted: true,
  ...presentRebuild(removed),
});
