import { isDeepStrictEqual } from 'node:util';
import { v7 as uuid } from 'uuid';
import type { Caller } from '../access/caller.ts';
import { renamedTranslations } from '../addresses/translations.ts';
import type { Blog } from '../blogs/blog.ts';
import { findAppearance } from '../blogs/store.ts';
import type { RenderContent, RenderedContent } from '../content/render-content.ts';
import type { Db } from '../database/database.ts';
import { findMentionedImages } from '../image-processing/image.ts';
import { logPostAction } from '../journal/audit-log.ts';
import { recordResult } from '../journal/idempotency.ts';
import { findPlacement, homeListOf, removeFromLists, setLists } from '../lists/placements.ts';
import { relatePost } from '../lists/relate.ts';
import { awaitImages, findAwaitedImages } from '../media/image-variants-store.ts';
import { storedAddress } from '../media/pictures.ts';
import { setPostImages } from '../media/post-images.ts';
import type { Writer } from '../rebuilds/write.ts';
import { type Clock, nextTimestamp } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import type { Precondition } from '../runtime/precondition.ts';
import { indexPost } from '../search/store.ts';
import { assertNotTakenDown } from '../take-downs/take-down.ts';
import { assertIncludes } from '../tiers/feature.ts';
import type { Remarks } from '../wire/mistake.ts';
import {
  assertFitsType,
  type CheckedFields,
  type Details,
  defaultDetails,
  patchDetails,
  remarksOn,
} from './details.ts';
import { saveRevision } from './keep-revision.ts';
import type {
  Post,
  PostFields,
  PostInput,
  PostPatch,
  PostState,
  PostSummary,
  UpdatedPost,
  WrittenPost,
} from './post.ts';
import { assertPostQuotaLeft, consumePostQuota } from './post-quota.ts';
import {
  assertPostSlugFree,
  claimSlug,
  generatePostSlug,
  moveSlug,
  redirectPreviousSlugs,
} from './post-slugs.ts';
import {
  enqueuePostChange,
  findPost,
  findPostState,
  listPost,
  newDate,
  publicationDate,
  publishInTransaction,
  schedulingDate,
} from './post-writes.ts';
import * as store from './store.ts';

/**
 * The posts of a blog that the caller may access. Every method with a `slug` parameter throws `not_found` for an
 * unknown slug. A write is one transaction, which also queues the rebuild.
 */
export interface Posts {
  /**
   * Throws `forbidden` over the post limit, for publishing on a taken-down blog, or if the tier does not include the
   * scheduling that is asked for, and `conflict` if a given slug is taken.
   */
  create(caller: Caller, blog: Blog, input: PostInput): Promise<WrittenPost>;
  list(blog: Blog, query: store.PostQuery): Promise<{ posts: PostSummary[]; total: number }>;
  get(blog: Blog, slug: string): Promise<Post>;
  /** Throws `not_found` for a deleted post. */
  getById(blog: Blog, id: string): Promise<Post>;
  /** Returns a post without its texts. */
  getState(blog: Blog, slug: string): Promise<PostState>;
  /** What is odd about the written fields of a post beside the blog's other posts. */
  remarks(blog: Blog, id: string, written: CheckedFields): Promise<Remarks>;
  /**
   * Throws `conflict` if the new slug is taken or one too many, `forbidden` if the blog would have too many redirects,
   * and whatever `check` throws.
   */
  update(blog: Blog, slug: string, patch: PostPatch, check?: Precondition): Promise<UpdatedPost>;
  /** Throws whatever `check` throws. */
  remove(blog: Blog, slug: string, check?: Precondition): Promise<{ rebuildId: string | null }>;
}

export interface PostsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly write: Writer;
  readonly renderContent: RenderContent;
  readonly upgradeUrl: string;
}

export function createPosts({ db, clock, write, renderContent, upgradeUrl }: PostsDependencies): Posts {
  return {
    async create(caller, blog, input) {
      if (input.status !== 'draft') assertNotTakenDown('blog', blog);
      if (input.status === 'scheduled') assertIncludes(caller.tier, 'scheduling', upgradeUrl);
      await assertPostQuotaLeft(db, caller, clock.now(), upgradeUrl);
      const content = await renderContent(input.content, blog.accountId);
      return write(async (tx, now) => {
        if (input.slug !== undefined) await assertPostSlugFree(tx, blog.id, input.slug);
        await consumePostQuota(tx, caller, now, upgradeUrl);
        const written = await insertPost(tx, blog, input, content, now);
        await recordResult(tx, written);
        return written;
      });
    },

    list: (blog, query) => store.listPosts(db, blog.id, query),

    get: (blog, slug) => findPost(db, blog.id, slug),

    async getById(blog, id) {
      const slug = await store.findSlugOf(db, blog.id, id);
      if (slug === null) throw new DomainError('not_found', 'the post has been deleted');
      return findPost(db, blog.id, slug);
    },

    getState: (blog, slug) => findPostState(db, blog.id, slug),

    remarks: (blog, id, written) => remarksOn(db, blog.id, id, written),

    async update(blog, slug, patch, check) {
      const content = patch.content === undefined ? null : await renderContent(patch.content, blog.accountId);
      return write(async (tx, now) => {
        const post = await findPost(tx, blog.id, slug);
        check?.(post);
        const updated = await updatePost(tx, blog, post, patch, content, now);
        await recordResult(tx, { id: post.id, rebuildId: updated.rebuildId });
        return updated;
      });
    },

    async remove(blog, slug, check) {
      return write(async (tx, now) => {
        const post = await findPost(tx, blog.id, slug);
        check?.(post);
        const before = await findPlacement(tx, post.id);
        await store.deletePost(tx, post);
        await logPostAction(tx, blog, post);
        return { rebuildId: before && (await enqueuePostChange(tx, post, before, now, { removes: true })) };
      });
    },
  };
}

async function insertPost(
  tx: Db,
  blog: Blog,
  input: PostInput,
  content: RenderedContent,
  now: string,
): Promise<WrittenPost> {
  const { title, status, type = 'post' } = input;
  const publishedAt = publicationDate(input.publishedAt, now);
  const scheduledAt = status === 'scheduled' ? schedulingDate(input.scheduledAt, now) : null;
  const id = uuid();
  const slug = input.slug ?? (await generatePostSlug(tx, blog.id, title, id));
  const claimed = await claimSlug(tx, blog.id, slug, now);
  const owned = { id, blogId: blog.id, accountId: blog.accountId };
  const { details, awaited } = await patchDetails(tx, owned, defaultDetails, input);
  const ogImage = await storedImage(tx, blog, input.meta.ogImage);
  const post = { ...fieldsOf(input, slug), ...details, ogImage, id, type, blogId: blog.id, createdAt: now };
  assertFitsType(type, post);
  await store.insertPost(tx, post, content);
  await awaitImages(tx, id, [...new Set([...content.imagesWithoutVariants, ...awaited])]);
  await setMentionedImages(tx, id, post, input.content);
  await setLists(tx, post, post);
  await redirectPreviousSlugs(tx, post, input.previousSlugs ?? []);
  if (scheduledAt !== null) await store.markUnpublished(tx, id, { status: 'scheduled', scheduledAt }, now);
  const isPublic = status === 'published';
  const rebuildId = isPublic
    ? await publishInTransaction(tx, post, publishedAt, { updatedAt: now, now })
    : claimed;
  const written = {
    ...{ id, slug, status, createdAt: now },
    publishedAt: isPublic ? publishedAt : null,
    scheduledAt,
  };
  await logPostAction(tx, blog, written);
  return { ...written, rebuildId };
}

async function updatePost(
  tx: Db,
  blog: Blog,
  post: Post,
  patch: PostPatch,
  content: RenderedContent | null,
  now: string,
): Promise<UpdatedPost> {
  const givenDescription = await store.findCustomDescription(tx, post.id);
  const owned = { ...post, accountId: blog.accountId };
  const { details, awaited } = await patchDetails(tx, owned, post, patch);
  const patched = { ...applyPatch(post, givenDescription, patch), ...details };
  const fields = { ...patched, ogImage: await storedImage(tx, blog, patched.ogImage) };
  assertFitsType(post.type, fields);
  const publishedAt = newDate(post, patch, now);
  const isUnchanged =
    publishedAt === post.publishedAt && isDeepStrictEqual(fields, unchangedFields(post, givenDescription));
  if (isUnchanged && (content === null || content.source === post.contentMd)) {
    return { ...post, rebuildId: null };
  }
  const before = await findPlacement(tx, post.id);
  const claimed = fields.slug === post.slug ? null : await moveSlug(tx, post, fields.slug, now);
  await saveRevision(tx, post.id);
  await logPostAction(tx, blog, post);
  const updatedAt = nextTimestamp(post.updatedAt, now);
  await store.updatePost(tx, post.id, fields, content, updatedAt);
  const images = content?.imagesWithoutVariants ?? (await findAwaitedImages(tx, post.id));
  await awaitImages(tx, post.id, [...new Set([...images, ...awaited])]);
  await setMentionedImages(tx, post.id, fields, content?.source ?? post.contentMd);
  await setLists(tx, post, { ...fields, type: post.type });
  if (publishedAt !== null) await moveInLists(tx, post, fields, publishedAt, updatedAt);
  const updated = await findPost(tx, blog.id, fields.slug);
  if (!before) return { ...updated, rebuildId: claimed };
  await listPost(tx, post, publishedAt ?? before.publishedAt, now);
  const { settings } = await findAppearance(tx, post.blogId);
  await relatePost(tx, post, settings.language);
  await indexPost(tx, post.id);
  return { ...updated, rebuildId: await enqueuePostChange(tx, post, before, now) };
}

/** Takes a published post off its list pages if its date or its home list changes. */
async function moveInLists(
  tx: Db,
  post: Post,
  fields: PostFields,
  publishedAt: string,
  updatedAt: string,
): Promise<void> {
  const isRedated = publishedAt !== post.publishedAt;
  const isRehomed = homeListOf(post) !== homeListOf({ ...fields, type: post.type });
  if (isRedated || isRehomed) await removeFromLists(tx, post.id);
  if (isRedated) await store.markPublished(tx, post.id, publishedAt, updatedAt);
}

async function setMentionedImages(
  tx: Db,
  postId: string,
  { ogImage, coverImage, author }: PostFields,
  source: string,
): Promise<void> {
  const addresses = [ogImage, coverImage?.url, author?.image].filter(Boolean);
  const mentions = findMentionedImages([source, ...addresses].join(' '));
  await setPostImages(tx, postId, [...new Set(mentions.map(({ id }) => id))]);
}

/** The link preview image as it is stored. */
const storedImage = async (db: Db, { accountId }: Blog, address: string | null): Promise<string | null> =>
  address === null ? null : storedAddress(db, accountId, address);

/** The fields that a patch simply replaces. */
type PlainFields = Omit<PostFields, keyof Details>;

const fieldsOf = ({ title, tags, meta, translations }: PostInput, slug: string): PlainFields => ({
  slug,
  title,
  tags,
  metaDescription: meta.description,
  ogImage: meta.ogImage,
  translations: translations ?? {},
});

const unchangedFields = (post: Post, givenDescription: string | null): PostFields => ({
  ...applyPatch(post, givenDescription, {}),
  isFeatured: post.isFeatured,
  isUnlisted: post.isUnlisted,
  series: post.series,
  canonicalUrl: post.canonicalUrl,
  language: post.language,
  author: post.author,
  coverImage: post.coverImage,
});

const applyPatch = (post: Post, givenDescription: string | null, patch: PostPatch): PlainFields => ({
  slug: patch.slug ?? post.slug,
  title: patch.title ?? post.title,
  tags: patch.tags ?? post.tags,
  metaDescription: patch.meta?.description === undefined ? givenDescription : patch.meta.description,
  ogImage: patch.meta?.ogImage === undefined ? post.ogImage : patch.meta.ogImage,
  translations:
    patch.translations === undefined
      ? renamedTranslations(post.translations, post.slug, patch.slug ?? post.slug)
      : (patch.translations ?? {}),
});
