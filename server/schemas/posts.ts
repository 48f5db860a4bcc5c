import { z } from 'zod';
import { type Post, type PostSummary, postStatuses } from '../domain/post.ts';
import { postSlugPattern } from '../domain/slug.ts';
import type { NewPost, WrittenPost } from '../services/posts.ts';
import type { ScheduledPost } from '../services/publication.ts';
import { pageQuery, pagination } from './pagination.ts';
import { presentRebuild, rebuildId } from './rebuilds.ts';
import { anyMoment, filledLine, line, moment, storableText } from './text.ts';

/** Limits of the interface; those of titles, descriptions and image addresses are ours, as it names none. */
const CONTENT_MAX_BYTES = 1_048_576;
const TAGS_MAX = 10;
const TAG_MAX = 50;
const TITLE_MAX = 500;
const DESCRIPTION_MAX = 1_000;
const ADDRESS_MAX = 2_048;
const PER_PAGE_MAX = 100;

const title = filledLine(TITLE_MAX);

export const postContent = storableText()
  .refine((text) => text.trim() !== '', 'must not be empty')
  .refine(
    (text) => Buffer.byteLength(text) <= CONTENT_MAX_BYTES,
    `must be at most ${CONTENT_MAX_BYTES} bytes`,
  );

const slug = z
  .string()
  .regex(postSlugPattern, 'must be 1 to 100 lower-case letters (a-z), digits and hyphens');

const tags = z.array(filledLine(TAG_MAX)).max(TAGS_MAX, `must be at most ${TAGS_MAX} tags`);

const imageAddress = line(ADDRESS_MAX).pipe(
  z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
);

/** Null and the empty description stand for "made from the content", null for "the card of the post". */
const meta = z.object({
  description: line(DESCRIPTION_MAX)
    .nullish()
    .transform((text) => (text === '' ? null : text)),
  og_image: imageAddress.nullish(),
});

export const createPostBody = z.object({
  title,
  content: postContent,
  slug: slug.optional(),
  tags: tags.default([]),
  status: z.enum(['draft', 'published']).default('draft'),
  meta: meta.default({ description: null }),
});

export const newPostOf = ({ meta, ...post }: z.infer<typeof createPostBody>): NewPost => ({
  ...post,
  meta: { description: meta.description ?? null, ogImage: meta.og_image ?? null },
});

export const updatePostBody = z.object({
  title: title.optional(),
  content: postContent.optional(),
  slug: slug.optional(),
  tags: tags.optional(),
  meta: meta.optional(),
});

export const listPostsQuery = z.object({
  status: z.enum(postStatuses).optional(),
  tag: line(TAG_MAX).optional(),
  ...pageQuery(PER_PAGE_MAX),
  sort: z.enum(['created_at', 'updated_at', 'published_at']).default('created_at'),
  order: z.enum(['desc', 'asc']).default('desc'),
});

const status = z.enum(postStatuses);

export const createdPost = z.object({
  id: z.uuid(),
  slug,
  url: z.url(),
  status,
  created_at: moment,
  rebuild_id: rebuildId,
});

export const publishedPost = z.object({
  id: z.uuid(),
  slug,
  url: z.url(),
  status: z.literal('published'),
  published_at: moment,
  rebuild_id: rebuildId,
});

export const schedulePostBody = z.object({ scheduled_at: anyMoment });

export const scheduledPost = z.object({
  id: z.uuid(),
  slug,
  status: z.literal('scheduled'),
  scheduled_at: moment,
  rebuild_id: rebuildId,
});

export const unpublishedPost = z.object({
  id: z.uuid(),
  slug,
  status: z.literal('draft'),
  rebuild_id: rebuildId,
});

export const deletedPost = z.object({ deleted: z.literal(true), rebuild_id: rebuildId });

const postSummary = z.object({
  id: z.uuid(),
  title: z.string(),
  slug,
  status,
  tags: z.array(z.string()),
  meta_description: z.string(),
  published_at: moment.nullable(),
  created_at: moment,
  updated_at: moment,
});

export const postPage = z.object({ data: z.array(postSummary), pagination });

export const fullPost = postSummary.extend({
  blog_id: z.uuid(),
  url: z.url(),
  content_md: z.string(),
  content_html: z.string(),
  og_image_url: z.url().nullable(),
  scheduled_at: moment.nullable(),
  rebuild_id: rebuildId,
});

export const presentCreated = (post: WrittenPost, blogUrl: string): z.infer<typeof createdPost> => ({
  id: post.id,
  slug: post.slug,
  url: `${blogUrl}${post.slug}/`,
  status: post.status,
  created_at: post.createdAt,
  ...presentRebuild(post),
});

export const presentPublished = (post: WrittenPost, blogUrl: string): z.infer<typeof publishedPost> => ({
  id: post.id,
  slug: post.slug,
  url: `${blogUrl}${post.slug}/`,
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
});

export const presentPost = (post: Post, blogUrl: string): z.infer<typeof fullPost> => ({
  ...presentSummary(post),
  blog_id: post.blogId,
  url: `${blogUrl}${post.slug}/`,
  content_md: post.contentMd,
  content_html: post.contentHtml,
  og_image_url: post.ogImage ?? (post.cardPath === null ? null : `${blogUrl}${post.cardPath}`),
  scheduled_at: post.scheduledAt,
});

export const presentDeleted = (removed: { rebuildId: string | null }): z.infer<typeof deletedPost> => ({
  deleted: true,
  ...presentRebuild(removed),
});
