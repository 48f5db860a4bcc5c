import { z } from 'zod';
import { blogSlugPattern } from '../domain/slug.ts';
import { themeKeys } from '../domain/theme.ts';
import type { BlogWithTheme, CreatedBlog, UpdatedBlog } from '../services/blogs.ts';
import type { Blog } from '../store/blogs.ts';
import { presentRebuild, rebuildId } from './rebuilds.ts';
import { characters, filledLine, moment, storableText } from './text.ts';

const NAME_MAX = 200;
const DESCRIPTION_MAX = 1_000;
/** Ours, for each key: the interface names none. */
const THEME_MAX_BYTES = 65_536;

const slug = z
  .string()
  .regex(
    blogSlugPattern,
    'must be 1 to 63 lower-case letters (a-z), digits and hyphens, and begin and end with a letter or digit',
  )
  .meta({ example: 'notes' });

const description = storableText()
  .trim()
  .refine((text) => characters(text) <= DESCRIPTION_MAX, `must be at most ${DESCRIPTION_MAX} characters`)
  .meta({ maxLength: DESCRIPTION_MAX, example: 'What we found out.' });

const name = filledLine(NAME_MAX).meta({ example: 'Notes' });

export const createBlogBody = z
  .object({
    slug,
    name,
    description: description.default(''),
  })
  .meta({ id: 'CreateBlog' });

const themeText = storableText()
  .refine((text) => Buffer.byteLength(text) <= THEME_MAX_BYTES, `must be at most ${THEME_MAX_BYTES} bytes`)
  .meta({ maxLength: THEME_MAX_BYTES })
  .nullable()
  .optional()
  .describe(`At most ${THEME_MAX_BYTES} bytes. Null and the empty string take it out.`);

export const updateBlogBody = z
  .object({
    name: name.optional(),
    description: description.optional(),
    theme_config: z
      .object({ customCss: themeText, adCode: themeText, headerHtml: themeText, footerHtml: themeText })
      .optional()
      .meta({ example: { customCss: 'h1 { letter-spacing: 0.02em }', headerHtml: null } }),
  })
  .meta({ id: 'UpdateBlog' });

const url = z.url().meta({ example: 'https://notes.example.org/' });

export const createdBlog = z
  .object({
    id: z.uuid(),
    slug,
    name: z.string().meta({ example: 'Notes' }),
    url,
    created_at: moment,
    rebuild_id: z.uuid(),
  })
  .meta({ id: 'CreatedBlog' });

const listedBlog = z
  .object({
    id: z.uuid(),
    slug,
    name: z.string().meta({ example: 'Notes' }),
    description: z.string().meta({ example: 'What we found out.' }),
    custom_domain: z
      .string()
      .nullable()
      .meta({ description: 'Also while its DNS does not lead here yet.', example: 'blog.example.org' }),
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'BlogSummary' });

export const blogList = z.object({ data: z.array(listedBlog) }).meta({ id: 'BlogList' });

export const fullBlog = listedBlog
  .extend({
    url,
    theme_config: z
      .partialRecord(z.enum(themeKeys), z.string())
      .meta({ example: { customCss: 'h1 { letter-spacing: 0.02em }' } }),
  })
  .meta({ id: 'Blog' });

export const updatedBlog = fullBlog.extend({ rebuild_id: rebuildId }).meta({ id: 'UpdatedBlog' });

export const presentCreatedBlog = (
  { blog, rebuildId }: CreatedBlog,
  url: string,
): z.infer<typeof createdBlog> => ({
  id: blog.id,
  slug: blog.slug,
  name: blog.name,
  url,
  created_at: blog.createdAt,
  rebuild_id: rebuildId,
});

export const presentBlogs = (blogs: readonly Blog[]): z.infer<typeof blogList> => ({
  data: blogs.map(presentListed),
});

export const presentBlog = ({ blog, themeConfig }: BlogWithTheme, url: string): z.infer<typeof fullBlog> => ({
  ...presentListed(blog),
  url,
  theme_config: themeConfig,
});

export const presentUpdatedBlog = (updated: UpdatedBlog, url: string): z.infer<typeof updatedBlog> => ({
  ...presentBlog(updated, url),
  ...presentRebuild(updated),
});

const presentListed = (blog: Blog): z.infer<typeof listedBlog> => ({
  id: blog.id,
  slug: blog.slug,
  name: blog.name,
  description: blog.description,
  custom_domain: blog.customDomain,
  created_at: blog.createdAt,
  updated_at: blog.updatedAt,
});
