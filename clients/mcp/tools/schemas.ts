import { z } from 'zod';

/** Limits of the API. It checks them again. */
export const MAX_CONTENT = 1_048_576;
const MAX_TAGS = 10;
const MAX_TAG = 50;
const MAX_SLUG = 100;
const MAX_QUERY = 100;
/** An id, or the longest slug. */
const MAX_BLOG = 63;
const DEFAULT_PER_PAGE = 20;
/** More than one answer of an agent has. */
const MAX_EDITS = 50;

/** A blog that has to be named. */
export const oneBlog = z.string().min(1).max(MAX_BLOG).describe('Slug or id of the blog');
export const blog = oneBlog.describe('Slug or id of the blog; the active one if missing').optional();
/** With an empty slug, the API would be asked for another address. */
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
export const edits = z
  .array(z.strictObject({ find: z.string().min(1), replace: z.string() }))
  .min(1)
  .max(MAX_EDITS)
  .describe('In place of content: passages that the Markdown has exactly once, and their replacements');
export const tags = z.array(z.string().min(1).max(MAX_TAG)).max(MAX_TAGS);
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
  url: z.string().optional(),
  image: z.string().optional(),
});
export const publishedAt = z.string().describe('ISO 8601, in the past: its place in lists').optional();

/** Details of a post that creating and changing it share. The API takes null for each that may be missing. */
export const postDetails = {
  description: z.string().describe('For search engines and previews; from the content if missing').optional(),
  cover_image: z
    .strictObject({ url: z.string(), alt: z.string().optional() })
    .describe('Picture at the head, with an address of upload_image')
    .nullish(),
  og_image: z.string().describe('Picture of previews; otherwise a card is drawn').nullish(),
  canonical_url: z.string().describe('Where the post first appeared, if elsewhere').nullish(),
  published_at: publishedAt,
  series: z.strictObject({ name: z.string(), part: z.int().min(1).optional() }).nullish(),
  author: author.describe('If not the author of the blog').nullish(),
  language: z.string().describe('Language tag; otherwise detected, or of the blog').nullish(),
  translations: z
    .record(z.string(), z.string())
    .describe('Language tags to slugs or addresses; replaces all')
    .nullish(),
  featured: z.boolean().describe('Shown first on the front page').optional(),
  unlisted: z.boolean().describe('Live at its address only').optional(),
};

/** Fields of a post as tools take them, in the shape that the API takes. */
export function postFields<Rest extends object>({
  description,
  og_image,
  ...rest
}: Rest & { description?: string | undefined; og_image?: string | null | undefined }) {
  const meta = {
    ...(description !== undefined && { description }),
    ...(og_image !== undefined && { og_image }),
  };
  return { ...rest, ...(Object.keys(meta).length > 0 && { meta }) };
}

const menu = z.array(z.strictObject({ label: z.string(), url: z.string() })).nullable();
export const blogSettings = z
  .strictObject({
    accent_color: z.string().nullable().describe('#rrggbb'),
    language: z.string().nullable(),
    author: author.nullable(),
    navigation: menu,
    social_links: menu,
    icon: z.string().nullable().describe('Address of upload_image'),
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
