import { z } from 'zod';
import type { BlogSettings } from '../../generator/site/blog.ts';
import { language } from '../addresses/schemas.ts';
import { blogSlugPattern, postSlugPattern } from '../addresses/slug.ts';
import { presentRebuild, rebuildId } from '../rebuilds/schemas.ts';
import { presentTakeDown, takeDownFields } from '../take-downs/schemas.ts';
import { countCharacters, filledLine, line, MAX_URL, storableText, timestamp } from '../wire/text.ts';
import { author, authorResponse, linkAddress, parseAuthor, webAddress } from './author-schema.ts';
import type { Blog, BlogDetails, CreatedBlog, UpdatedBlog } from './blog.ts';
import { resolveSettings, type SettingsPatch } from './blog-settings.ts';
import type { BlogUrls } from './site-blog.ts';
import { themeKeys } from './theme/theme.ts';

const MAX_NAME = 200;
const MAX_DESCRIPTION = 1_000;
/** Our own limit for each key: the interface names none. */
export const THEME_MAX_BYTES = 65_536;

const slug = z
  .string()
  .regex(
    blogSlugPattern,
    'must be 1 to 63 lower-case letters (a-z), digits and hyphens, and begin and end with a letter or digit',
  )
  .meta({ example: 'notes' });

const description = storableText()
  .trim()
  .refine((text) => countCharacters(text) <= MAX_DESCRIPTION, `must be at most ${MAX_DESCRIPTION} characters`)
  .meta({ maxLength: MAX_DESCRIPTION, example: 'What we found out.' });

const name = filledLine(MAX_NAME).meta({ example: 'Notes' });

export const createBlogBody = z
  .object({
    slug,
    name,
    description: description.default(''),
  })
  .meta({ id: 'CreateBlog' });

/** Whether a theme setting is short enough. */
export const fitsTheme = (text: string): boolean => Buffer.byteLength(text) <= THEME_MAX_BYTES;
export const THEME_TOO_LONG = `must be at most ${THEME_MAX_BYTES} bytes`;

const themeText = storableText()
  .refine(fitsTheme, THEME_TOO_LONG)
  .meta({ maxLength: THEME_MAX_BYTES })
  .nullable()
  .optional();

const REMOVAL_HINT = `At most ${THEME_MAX_BYTES} bytes. An empty string or null removes it.`;
const themeField = (about: string, text = themeText) => text.describe(`${about} ${REMOVAL_HINT}`);

/** Our own limits: the interface leaves room for them. */
const MAX_LINKS = 10;
const MAX_LABEL = 50;
const blogPath = line(MAX_URL).regex(/^\/(?![/\\])\S*$/, 'must be absolute, or begin with a single slash');

const link = z.object({ label: filledLine(MAX_LABEL), url: linkAddress }).meta({
  example: { label: 'Mastodon', url: 'https://social.example/@ada' },
});
const PAGE_ADDRESS_ERROR =
  'must be a path of the blog like /about/, or an http, https or mailto address without a password';
const pageLink = z
  .object({ label: filledLine(MAX_LABEL), url: z.union([blogPath, linkAddress], PAGE_ADDRESS_ERROR) })
  .meta({
    example: { label: 'About', url: '/about/' },
  });
const linkList = <T extends z.ZodType>(one: T) =>
  z.array(one).max(MAX_LINKS, `must be at most ${MAX_LINKS} links`).nullish();

const pageSlug = z
  .string()
  .regex(postSlugPattern, 'must be 1 to 100 lower-case letters (a-z), digits and hyphens');

const accentColor = z
  .string()
  // Lists both cases, because JSON Schema has no flags.
  .regex(/^#[0-9A-Fa-f]{6}$/, 'must be a colour like #0a7ea4')
  .toLowerCase()
  .meta({ example: '#0a7ea4' });

const frontPage = z
  .object({
    page: pageSlug
      .describe('Slug of a page of the blog, which is then at its root.')
      .meta({ example: 'welcome' }),
    list: pageSlug
      .describe('Slug of the address at which the list of posts is then.')
      .meta({ example: 'posts' }),
  })
  .refine(({ page, list }) => page !== list, { path: ['list'], error: 'must not be the address of the page' })
  .describe('A page in place of the list of posts. Its own address redirects to the root.')
  .meta({ example: { page: 'welcome', list: 'posts' } });

const ICON_EXAMPLE =
  'https://media.example.org/019a2f6e-7c10-7000-8000-00000000002a/019a2f70-1b44-7000-8000-0000000000a1.png';

const settingsPatch = z
  .object({
    accent_color: accentColor.nullish(),
    language: language
      .nullish()
      .describe('Language of the blog, and of posts whose script does not reveal another one.'),
    author: author.nullish(),
    social_links: linkList(link).describe('Other profiles of the author, linked with rel="me".'),
    navigation: linkList(pageLink).describe('Links to show on every page.'),
    front_page: frontPage.nullish(),
    icon: webAddress
      .nullish()
      .describe(
        'The image that stands for the blog: the address of an upload (POST /v1/upload), square at best. Browser tabs, ' +
          'home screens and the header of pages show it once its files are made, usually within seconds.',
      )
      .meta({ format: 'uri', example: ICON_EXAMPLE }),
  })
  .describe('Missing settings keep their values; null restores the default.');

/** The style sheet goes into a `style` element, which it must not close. */
const styleText = themeText.refine((text) => !/<\/style/i.test(text ?? ''), 'must not contain "</style"');

export const updateBlogBody = z
  .object({
    slug: slug.optional().meta({
      description: 'The host of the former slug redirects to the new one for ever.',
      example: 'notebook',
    }),
    name: name.optional(),
    description: description.optional(),
    theme_config: z
      .object({
        customCss: themeField('A style sheet after the theme’s own.', styleText),
        adCode: themeField('HTML below every post and below the entries of lists.'),
        headerHtml: themeField('HTML at the top of every page.'),
        footerHtml: themeField('HTML at the bottom of every page.'),
        layout: themeField(
          'A Liquid template for everything within `body`. It prints `{{ content }}`, the main part of the page, ' +
            'once, or lists `posts` itself. It can use `blog`, `page`, on posts `post`, on the front page `newest` ' +
            'and `featured`; its output is escaped. It reads no files, and its resources are limited. If it fails on ' +
            'a sample page of any kind, it is rejected with line and column.',
        ),
      })
      .describe(
        'Elements left open in HTML are closed. HTML may contain scripts, which run on this blog alone.',
      )
      .optional()
      .meta({ example: { customCss: 'h1 { letter-spacing: 0.02em }', headerHtml: null } }),
    settings: settingsPatch.optional().meta({ example: { accent_color: '#0a7ea4', navigation: null } }),
  })
  .meta({ id: 'UpdateBlog' });

const url = z.url().meta({ example: 'https://notes.example.org/' });

export const createdBlog = z
  .object({
    id: z.uuid(),
    slug,
    name: z.string().meta({ example: 'Notes' }),
    url,
    created_at: timestamp,
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
      .meta({ description: 'Also set while its DNS does not point here yet.', example: 'blog.example.org' }),
    created_at: timestamp,
    updated_at: timestamp,
    ...takeDownFields,
  })
  .meta({ id: 'BlogSummary' });

export const blogList = z.object({ data: z.array(listedBlog) }).meta({ id: 'BlogList' });

/** How a blog looks, as its owner has set it. */
export const appearanceResponse = {
  theme_config: z
    .partialRecord(z.enum(themeKeys), z.string())
    .meta({ example: { customCss: 'h1 { letter-spacing: 0.02em }' } }),
  settings: z.object({
    accent_color: z.string().nullable().meta({ example: '#0a7ea4' }),
    language: z.string().meta({ example: 'en' }),
    author: authorResponse,
    social_links: z.array(z.object({ label: z.string(), url: z.string() })),
    navigation: z.array(z.object({ label: z.string(), url: z.string() })),
    front_page: z.object({ page: z.string(), list: z.string() }).nullable().meta({ example: null }),
    icon: z.string().nullable().meta({ example: ICON_EXAMPLE }),
  }),
};

const appearanceObject = z.object(appearanceResponse);

export const fullBlog = listedBlog.extend({ url, ...appearanceResponse }).meta({ id: 'Blog' });

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

export const presentBlog = (
  { blog, themeConfig, settings }: BlogDetails,
  { url, mediaUrl }: BlogUrls,
): z.infer<typeof fullBlog> => ({
  ...presentListed(blog),
  url,
  ...presentAppearance({ themeConfig, settings }, mediaUrl),
});

export const presentAppearance = (
  { themeConfig, settings }: Pick<BlogDetails, 'themeConfig' | 'settings'>,
  mediaUrl: string,
): z.infer<typeof appearanceObject> => ({
  theme_config: themeConfig,
  settings: presentSettings(resolveSettings(settings, mediaUrl)),
});

const presentSettings = (settings: BlogSettings): z.infer<typeof appearanceObject>['settings'] => ({
  accent_color: settings.accentColor,
  language: settings.language,
  author: settings.author,
  social_links: [...settings.socialLinks],
  navigation: [...settings.navigation],
  front_page: settings.frontPage,
  icon: settings.icon?.url ?? null,
});

export const parseSettingsPatch = ({
  accent_color: accentColor,
  language,
  author,
  social_links: socialLinks,
  navigation,
  front_page: frontPage,
  icon,
}: z.infer<typeof settingsPatch>): SettingsPatch => ({
  accentColor,
  language,
  author: parseAuthor(author),
  socialLinks,
  navigation,
  frontPage,
  icon: typeof icon === 'string' ? { url: icon, isMade: false, former: null } : icon,
});

export const presentUpdatedBlog = (updated: UpdatedBlog, urls: BlogUrls): z.infer<typeof updatedBlog> => ({
  ...presentBlog(updated, urls),
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
  ...presentTakeDown(blog),
});
