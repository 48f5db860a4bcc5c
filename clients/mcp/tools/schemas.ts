import { z } from 'zod';
import { boundedArray, boundedRecord } from '../validation/bounded.ts';

/** Limits of the API. It checks them again. */
export const MAX_CONTENT = 1_048_576;
const MAX_TAGS = 10;
const MAX_TAG = 50;
const MAX_LINKS = 10;
const MAX_TRANSLATIONS = 20;
export const MAX_SLUG = 100;
const MAX_QUERY = 100;
/** An id, or the longest slug. */
export const MAX_BLOG = 63;
const DEFAULT_PER_PAGE = 20;
/** More than an agent sends in one call. */
const MAX_EDITS = 50;

/** A blog, where it is required. */
export const oneBlog = z.string().min(1).max(MAX_BLOG).describe('Slug or id of the blog');
export const blog = oneBlog.describe('Slug or id of the blog; the active one if missing').optional();
/** Not empty: the request would go to another address of the API. */
export const slug = z.string().min(1).max(MAX_SLUG).describe('Slug of the post');
export const newSlug = z
  .string()
  .regex(/^[a-z0-9-]+$/, 'use a-z, 0-9 and hyphens')
  .max(MAX_SLUG);
export const title = z.string().min(1);
export const content = z
  .string()
  .min(1)
  .max(MAX_CONTENT)
  .describe('Markdown (GFM, math, diagrams, callouts, footnotes), without the title');
const edit = z.strictObject({ find: z.string().min(1), replace: z.string() });
export const edits = boundedArray(z.array(edit).min(1), MAX_EDITS).describe(
  'Instead of content: passages that occur exactly once, and their replacements',
);
export const tags = boundedArray(z.array(z.string().min(1).max(MAX_TAG)), MAX_TAGS);
export const confirm = (what: string) =>
  z
    .string()
    .describe(`Slug of the ${what}, once the user has agreed; needed if the client cannot ask them`)
    .optional();
export const query = z.string().min(1).max(MAX_QUERY).describe('Words to find');

export const pageFields = (maxPerPage: number) => ({
  page: z.int().min(1).default(1),
  per_page: z.int().min(1).max(maxPerPage).default(DEFAULT_PER_PAGE),
});

const author = z.strictObject({
  name: z.string(),
  url: z.string().nullish(),
  image: z.string().nullish(),
});
export const publishedAt = z.string().describe('ISO 8601, in the past: its place in lists').optional();

/** Details of a post that create_post and update_post share. Null, where it is allowed, removes one. */
export const postDetails = {
  description: z.string().describe('For search engines and previews; from the content if missing').nullish(),
  cover_image: z
    .strictObject({ url: z.string(), alt: z.string().optional() })
    .describe('Picture at the head; url from upload_image')
    .nullish(),
  og_image: z.string().describe('Picture of previews; otherwise a card is drawn').nullish(),
  canonical_url: z.string().describe('Where the post first appeared, if elsewhere').nullish(),
  published_at: publishedAt.nullable(),
  series: z.strictObject({ name: z.string(), part: z.int().min(1).optional() }).nullish(),
  author: author.describe('If not the author of the blog').nullish(),
  language: z.string().describe('Language tag; otherwise detected, or that of the blog').nullish(),
  translations: boundedRecord(z.record(z.string(), z.string()), MAX_TRANSLATIONS)
    .describe('Language tags to slugs or addresses; replaces all')
    .nullish(),
  featured: z.boolean().describe('Shown above the list of posts, on its first page').optional(),
  unlisted: z.boolean().describe('Live at its address only').optional(),
};

/** Fields of a post as tools take them, in the shape that the API takes. */
export function postFields<Rest extends object>({
  description,
  og_image,
  ...rest
}: Rest & { description?: string | null | undefined; og_image?: string | null | undefined }) {
  const meta = {
    ...(description !== undefined && { description }),
    ...(og_image !== undefined && { og_image }),
  };
  return { ...rest, ...(Object.keys(meta).length > 0 && { meta }) };
}

const link = z.strictObject({ label: z.string(), url: z.string() });
const menu = boundedArray(z.array(link), MAX_LINKS).nullable();
export const blogSettings = z
  .strictObject({
    accent_color: z.string().nullable().describe('#rrggbb'),
    language: z.string().nullable(),
    author: author.nullable(),
    navigation: menu,
    social_links: menu,
    icon: z.string().nullable().describe('Address from upload_image'),
    front_page: z.strictObject({ page: z.string(), list: z.string() }).nullable(),
  })
  .partial();
export const themeConfig = z
  .strictObject({
    customCss: z.string(),
    adCode: z.string(),
    headerHtml: z.string(),
    footerHtml: z.string(),
    layout: z.string().describe('Liquid template for the body'),
  })
  .partial();
