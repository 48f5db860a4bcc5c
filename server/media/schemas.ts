import { z } from 'zod';
import { imageTypes } from '../image-processing/image.ts';
import { pageQuery, pagination, presentPagination } from '../wire/pagination.ts';
import { timestamp } from '../wire/text.ts';
import type { ImageUsage, LibraryImage, LibraryPage } from './image.ts';
import { mediaAddress } from './references.ts';

const MAX_FILENAME = 255;
const MAX_PER_PAGE = 100;

/** A PNG image of one pixel. */
const ONE_PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/**
 * Base64 (RFC 4648) in either alphabet, padded or not; line breaks are allowed, as in MIME. A `data:` address is not
 * base64. The service validates the decoded bytes.
 */
const base64 = z
  .string()
  .refine(
    (text) => !text.startsWith('data:'),
    'must be the base64 alone, without "data:...;base64," before it',
  )
  .transform((text) => text.replace(/\s+/g, ''))
  .refine(isBase64, 'must be base64')
  .transform((text) => Buffer.from(text, 'base64'))
  .meta({
    format: 'byte',
    description: 'The image in base64: at most 5 MB before encoding.',
    example: ONE_PIXEL_PNG,
  });

function isBase64(text: string): boolean {
  const unpadded = text.endsWith('==') ? text.slice(0, -2) : text.endsWith('=') ? text.slice(0, -1) : text;
  const isWhole = unpadded.length % 4 !== 1 && (unpadded === text || text.length % 4 === 0);
  return isWhole && !/[^A-Za-z0-9+/_-]/.test(unpadded);
}

export const uploadBody = z
  .object({
    data: base64,
    filename: z
      .string()
      .nullish()
      .transform(displayFileName)
      .meta({ description: 'Shown in lists. The stored file has a generated name.', example: 'dot.png' }),
    content_type: z.enum(imageTypes).meta({ example: 'image/png' }),
  })
  .meta({ id: 'UploadImage' });

/** The part of a file's name that can be shown, without folders; null if nothing is left. */
function displayFileName(given: string | null | undefined): string | null {
  const name = (given ?? '')
    .toWellFormed()
    .replace(/^.*[\\/]/s, '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return [...name.slice(0, 2 * MAX_FILENAME)].slice(0, MAX_FILENAME).join('').trim() || null;
}

/** The form that `readUpload` accepts instead of JSON. */
export const uploadForm = z
  .object({ file: z.file().describe('The image: at most 5 MB.') })
  .meta({ id: 'UploadForm' });

export const uploadedImage = z
  .object({
    url: z.url().meta({
      description:
        'The address to use in Markdown. A post that names it shows the image wherever images are later.',
      example: 'https://media.example.org/019a2f6e.png',
    }),
  })
  .meta({ id: 'UploadedImage' });

export const listImagesQuery = z.object(pageQuery(MAX_PER_PAGE));

const image = z
  .object({
    id: z.uuid(),
    blog_id: z.uuid(),
    url: z.url().meta({
      description: 'The address to use in Markdown.',
      example: 'https://media.example.org/019a2f6e.png',
    }),
    filename: z.string().nullable().meta({ description: 'File name at upload.', example: 'dot.png' }),
    content_type: z.enum(imageTypes).meta({ example: 'image/png' }),
    bytes: z.int().meta({ example: 70 }),
    width: z.int().meta({ example: 1 }).describe('Pixels.'),
    height: z.int().meta({ example: 1 }).describe('Pixels.'),
    used_in: z.int().meta({
      description: 'Posts of the account, drafts included, that use it in their content or as `og_image`.',
      example: 1,
    }),
    used_by_blogs: z.int().meta({
      description: 'Blogs of the account that use it as their icon or as the picture of their author.',
      example: 0,
    }),
    created_at: timestamp,
  })
  .meta({ id: 'Image' });

export const imagePage = z
  .object({
    data: z.array(image),
    pagination,
    storage: z
      .object({
        used_bytes: z.int().meta({ example: 70 }),
        included_bytes: z
          .int()
          .nullable()
          .meta({ description: 'Included in the plan; null means no limit.', example: 52_428_800 }),
      })
      .describe('For all blogs of the account. The smaller copies that pages offer do not count.'),
  })
  .meta({ id: 'ImagePage' });

export const deletedImage = z
  .object({
    deleted: z.literal(true),
    used_in: z.object({
      published: z
        .int()
        .meta({ description: 'Published posts that still use it, in which it is missing now.', example: 1 }),
      posts: z
        .array(z.object({ blog_id: z.uuid(), slug: z.string().meta({ example: 'hello-world' }) }))
        .describe('Up to 20 of them.'),
      blogs: z
        .array(z.uuid())
        .describe(
          'Blogs whose icon, or whose author’s picture, it was. They have none now, and are rebuilt.',
        ),
    }),
  })
  .meta({ id: 'DeletedImage' });

export const presentUploaded = (
  image: { readonly path: string },
  mediaUrl: string,
): z.infer<typeof uploadedImage> => ({ url: mediaAddress(image.path, mediaUrl) });

const presentImage = (found: LibraryImage, mediaUrl: string): z.infer<typeof image> => ({
  id: found.id,
  blog_id: found.blogId,
  url: mediaAddress(found.path, mediaUrl),
  filename: found.filename,
  content_type: found.type,
  bytes: found.bytes,
  width: found.width,
  height: found.height,
  used_in: found.usedIn,
  used_by_blogs: found.usedByBlogs,
  created_at: found.createdAt,
});

export const presentImages = (
  query: z.infer<typeof listImagesQuery>,
  { images, total, usedBytes, includedBytes }: LibraryPage,
  mediaUrl: string,
): z.infer<typeof imagePage> => ({
  data: images.map((found) => presentImage(found, mediaUrl)),
  pagination: presentPagination(query, total),
  storage: { used_bytes: usedBytes, included_bytes: includedBytes },
});

export const presentDeletedImage = ({
  published,
  posts,
  blogIds,
}: ImageUsage): z.infer<typeof deletedImage> => ({
  deleted: true,
  used_in: {
    published,
    posts: posts.map(({ blogId, slug }) => ({ blog_id: blogId, slug })),
    blogs: [...blogIds],
  },
});
