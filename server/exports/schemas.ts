import { z } from 'zod';
import { addressOf } from '../../generator/addresses.ts';
import { resolveAddress } from '../addresses/image-addresses.ts';
import { translationsResponse } from '../addresses/schemas.ts';
import type { Blog } from '../blogs/blog.ts';
import { appearanceResponse, presentAppearance } from '../blogs/schemas.ts';
import { mediaAddress } from '../media/references.ts';
import { detailsResponse, presentDetails } from '../posts/details-schemas.ts';
import { postStatuses } from '../posts/post.ts';
import { timestamp } from '../wire/text.ts';
import type {
  AccountExport,
  ExportCursor,
  ExportedImage,
  ExportedPost,
  ExportedRedirect,
} from './account-export.ts';

const exportedBlog = z.object({
  slug: z.string().meta({ example: 'notes' }),
  name: z.string().meta({ example: 'Notes' }),
  description: z.string().meta({ example: 'What we found out.' }),
  custom_domain: z.string().nullable().meta({ example: 'blog.example.org' }),
  ...appearanceResponse,
});

/** Its fields have the names that `POST /v1/posts` reads. */
const exportedPost = z.object({
  slug: z.string().meta({ example: 'hello-world' }),
  title: z.string().meta({ example: 'Hello, world' }),
  content_md: z.string().meta({ example: 'My **first** post.' }),
  tags: z.array(z.string()).meta({ example: ['greetings'] }),
  status: z.enum(postStatuses).meta({ example: 'published' }),
  published_at: timestamp.nullable(),
  scheduled_at: timestamp.nullable().meta({ example: null }),
  created_at: timestamp,
  updated_at: timestamp,
  meta: z.object({ description: z.string().nullable(), og_image: z.url().nullable() }).meta({
    description: 'As given: null for what is derived.',
    example: { description: null, og_image: null },
  }),
  translations: translationsResponse,
  previous_slugs: z
    .array(z.string())
    .meta({ description: 'Slugs that redirect to the post.', example: ['hello'] }),
  ...detailsResponse,
});

const exportedImage = z.object({
  url: z.url().meta({ example: 'https://platen.example.net/media/0190/hello.png' }),
  filename: z.string().nullable().meta({ example: 'hello.png' }),
  width: z.int(),
  height: z.int(),
});

/** As `POST /v1/blogs/{id}/redirects` reads it. */
const exportedRedirect = z.object({
  from: z.string().meta({ example: '/2019/03/hello.html' }),
  to: z.string().meta({ example: '/hello/' }),
});

export const accountExport = z
  .object({
    exported_at: timestamp,
    user_id: z.uuid(),
    blogs: z.array(
      z.object({
        blog: exportedBlog,
        posts: z.array(exportedPost),
        images: z.array(exportedImage),
        redirects: z.array(exportedRedirect),
      }),
    ),
    total_posts: z.int().min(0).meta({ example: 1 }),
    truncated: z.boolean().optional().meta({
      description:
        'Whether posts were left out. Present once the account has as many posts as an export can hold.',
      example: false,
    }),
    next: z.string().optional().meta({
      description: 'Present if posts were left out: the value of `after` for an export that goes on there.',
      example: 'WyIyMDI2Il0',
    }),
  })
  .meta({ id: 'AccountExport' });

const cursorKeys = z.tuple([z.string(), z.string(), z.string(), z.string()]);

const formatCursor = ({ blogCreatedAt, blogId, postCreatedAt, postId }: ExportCursor): string =>
  Buffer.from(JSON.stringify([blogCreatedAt, blogId, postCreatedAt, postId])).toString('base64url');

/** Null if the text is no cursor. */
function parseCursor(text: string): ExportCursor | null {
  try {
    const keys = cursorKeys.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    const [blogCreatedAt, blogId, postCreatedAt, postId] = keys;
    return { blogCreatedAt, blogId, postCreatedAt, postId };
  } catch {
    return null;
  }
}

const MAX_CURSOR = 500;

export const exportQuery = z.object({
  after: z
    .string('must be given once')
    .max(MAX_CURSOR, 'must be the value of next in an export')
    .transform((text, ctx) => {
      const cursor = parseCursor(text);
      if (cursor === null)
        ctx.issues.push({ code: 'custom', message: 'must be the value of next in an export', input: text });
      return cursor;
    })
    .optional()
    .describe('The value of `next` in an export that was truncated: the posts after those.'),
});

/** The JSON text of an `accountExport` in pieces, because the whole may exceed the maximum length of a string. */
export async function* presentExport(exported: AccountExport, mediaUrl: string): AsyncGenerator<string> {
  const { exportedAt, accountId, blogs, truncated, next } = exported;
  yield `{"exported_at":${JSON.stringify(exportedAt)},"user_id":${JSON.stringify(accountId)},"blogs":[`;
  let total = 0;
  for (const [index, { blog, appearance, posts, images, redirects }] of blogs.entries()) {
    const shown = { ...presentBlog(blog), ...presentAppearance(await appearance(), mediaUrl) };
    yield `${index === 0 ? '' : ','}{"blog":${JSON.stringify(shown)},"posts":[`;
    for await (const entry of entries(posts, (post) => presentPost(post, mediaUrl))) {
      yield entry;
      total += 1;
    }
    yield '],"images":[';
    yield* entries(images, (image) => presentImage(image, mediaUrl));
    yield '],"redirects":[';
    yield* entries(redirects, presentRedirect);
    yield ']}';
  }
  yield `],"total_posts":${total}${truncated === null ? '' : `,"truncated":${truncated}`}`;
  yield `${next === null ? '' : `,"next":${JSON.stringify(formatCursor(next))}`}}`;
}

/** The entries of a JSON array, without its brackets. */
async function* entries<T>(values: AsyncIterable<T>, present: (value: T) => object): AsyncGenerator<string> {
  let separator = '';
  for await (const value of values) {
    yield separator + JSON.stringify(present(value));
    separator = ',';
  }
}

const presentBlog = ({
  slug,
  name,
  description,
  customDomain,
}: Blog): Omit<z.infer<typeof exportedBlog>, keyof typeof appearanceResponse> => ({
  slug,
  name,
  description,
  custom_domain: customDomain,
});

const presentPost = (post: ExportedPost, mediaUrl: string): z.infer<typeof exportedPost> => ({
  slug: post.slug,
  title: post.title,
  content_md: post.contentMd,
  tags: [...post.tags],
  status: post.status,
  published_at: post.publishedAt,
  scheduled_at: post.scheduledAt,
  created_at: post.createdAt,
  updated_at: post.updatedAt,
  meta: {
    description: post.metaDescription,
    og_image: post.ogImage && resolveAddress(post.ogImage, mediaUrl),
  },
  translations: post.translations,
  previous_slugs: [...post.previousSlugs],
  ...presentDetails(post, mediaUrl),
});

const presentImage = (
  { path, filename, width, height }: ExportedImage,
  mediaUrl: string,
): z.infer<typeof exportedImage> => ({ url: mediaAddress(path, mediaUrl), filename, width, height });

const presentRedirect = ({ path, target }: ExportedRedirect): z.infer<typeof exportedRedirect> => ({
  from: addressOf(path),
  to: target,
});
