import { z } from 'zod';

/**
 * Objects of the API, as tools return them. Loose, because a newer server may have more fields. The named ones are
 * those that an agent needs for its next call.
 */
const rebuildId = { rebuild_id: z.string().optional() };
const warnings = { warnings: z.array(z.string()).optional() };
const status = z.enum(['draft', 'published', 'scheduled']);
const pagination = z.looseObject({
  page: z.int(),
  per_page: z.int(),
  total: z.int(),
  total_pages: z.int(),
});
const pageOf = <Item extends z.ZodType>(item: Item) => z.looseObject({ data: z.array(item), pagination });

const summaryFields = {
  id: z.string(),
  title: z.string(),
  slug: z.string(),
  status,
  tags: z.array(z.string()),
  meta_description: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
};
const found = { slug: z.string(), title: z.string(), excerpt: z.string(), tags: z.array(z.string()) };
const views = z.array(z.looseObject({ date: z.string(), views: z.number() }));
const blogFields = { id: z.string(), slug: z.string(), name: z.string() };

export const createdPost = z.looseObject({
  id: z.string(),
  slug: z.string(),
  url: z.string(),
  status,
  created_at: z.string(),
  ...rebuildId,
  ...warnings,
});
export const post = z.looseObject({ ...summaryFields, url: z.string(), content_md: z.string() });
export const changedPost = z.looseObject({ ...summaryFields, ...rebuildId, ...warnings, url: z.string() });
export const postPage = pageOf(z.looseObject(summaryFields));
export const publishedPost = z.looseObject({
  id: z.string(),
  slug: z.string(),
  url: z.string(),
  status,
  published_at: z.string(),
  ...rebuildId,
});
export const scheduledPost = z.looseObject({
  id: z.string(),
  slug: z.string(),
  status,
  scheduled_at: z.string(),
  ...rebuildId,
});
export const unpublishedPost = z.looseObject({ id: z.string(), slug: z.string(), status, ...rebuildId });
export const preview = z.looseObject({ url: z.string(), expires_at: z.string() });
export const deleted = z.looseObject({ deleted: z.literal(true), ...rebuildId });
export const image = z.looseObject({ url: z.string() });
export const foundPage = pageOf(z.looseObject(found));
export const discoveredPage = pageOf(z.looseObject({ ...found, url: z.string(), blog_name: z.string() }));
export const analytics = z.looseObject({ total_views: z.number(), daily_views: views });
export const blogList = z.looseObject({ data: z.array(z.looseObject(blogFields)) });
export const blog = z.looseObject({ ...blogFields, url: z.string(), ...rebuildId });

const redirectFields = { id: z.string(), from: z.string(), to: z.string() };
export const redirectPage = pageOf(z.looseObject(redirectFields));
export const writtenRedirects = z.looseObject({
  data: z.array(z.looseObject({ ...redirectFields, result: z.enum(['created', 'replaced', 'unchanged']) })),
  ...rebuildId,
  ...warnings,
});
