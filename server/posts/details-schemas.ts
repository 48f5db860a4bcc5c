import { z } from 'zod';
import type { Author } from '../../generator/site/author.ts';
import type { CoverImage } from '../../generator/site/picture.ts';
import { postTypes } from '../../generator/site/post.ts';
import { resolveAddress } from '../addresses/image-addresses.ts';
import { language } from '../addresses/schemas.ts';
import { author, authorResponse, parseAuthor, webAddress } from '../blogs/author-schema.ts';
import type { PostDetails } from '../published/post-details.ts';
import { filledLine, line } from '../wire/text.ts';
import type { DetailsPatch } from './post.ts';

/** Our own limits: the interface leaves room for these fields. */
const MAX_SERIES = 100;
const MAX_PART = 10_000;
const MAX_ALT = 500;

const series = z
  .object({
    name: filledLine(MAX_SERIES).meta({ example: 'How type is made' }),
    part: z
      .int('must be a whole number')
      .min(1, 'must be 1 or more')
      .max(MAX_PART, `must be ${MAX_PART} or less`)
      .optional()
      .describe('Its place in the series. If missing, it keeps its place, or becomes the last part.')
      .meta({ example: 2 }),
  })
  .meta({ example: { name: 'How type is made', part: 2 } });

const coverImage = z
  .object({
    url: webAddress.meta({ format: 'uri', example: 'https://example.org/press.jpg' }),
    alt: line(MAX_ALT)
      .default('')
      .describe('What the picture shows, for readers who do not see it.')
      .meta({ example: 'A hand press' }),
  })
  .meta({ example: { url: 'https://example.org/press.jpg', alt: 'A hand press' } });

/** The fields of a post beyond those of the interface, as clients give them. */
export const detailsInput = {
  featured: z
    .boolean()
    .optional()
    .describe(
      'Whether the first page of the blog’s list picks the post out: the three newest of them, above the list.',
    )
    .meta({ example: false }),
  unlisted: z
    .boolean()
    .optional()
    .describe('Live at its address, but in no list, feed, sitemap or search.')
    .meta({ example: false }),
  series: series.nullish().describe('The series that the post is a part of. Null takes it out.'),
  canonical_url: webAddress
    .nullish()
    .describe('Where the original is, if the post first appeared elsewhere: search engines show that.')
    .meta({ format: 'uri', example: 'https://elsewhere.example/original' }),
  language: language
    .nullish()
    .describe(
      'The language of the post. If null, the one that its script reveals, or else that of the blog.',
    ),
  author: author.nullish().describe('If null, the author of the blog.'),
  cover_image: coverImage.nullish().describe('At the head of the post, in lists, feeds and link previews.'),
};

/** Only in a new post. */
export const postType = z
  .enum(postTypes)
  .default('post')
  .describe('A page stands outside lists, feeds, tags and the archive, such as /about/.')
  .meta({ example: 'post' });

export interface DetailsInput {
  readonly featured?: boolean | undefined;
  readonly unlisted?: boolean | undefined;
  readonly series?: z.infer<typeof series> | null | undefined;
  readonly canonical_url?: string | null | undefined;
  readonly language?: string | null | undefined;
  readonly author?: z.infer<typeof author> | null | undefined;
  readonly cover_image?: z.infer<typeof coverImage> | null | undefined;
}

export const parseDetailsPatch = (input: DetailsInput): DetailsPatch => ({
  isFeatured: input.featured,
  isUnlisted: input.unlisted,
  series: input.series,
  canonicalUrl: input.canonical_url,
  language: input.language,
  author: parseAuthor(input.author),
  coverImage: input.cover_image,
});

export const detailsResponse = {
  type: z.enum(postTypes).meta({ example: 'post' }),
  featured: z.boolean().meta({ example: false }),
  unlisted: z.boolean().meta({ example: false }),
  series: z
    .object({ name: z.string(), part: z.int() })
    .nullable()
    .meta({ example: { name: 'How type is made', part: 2 } }),
  canonical_url: z.url().nullable().meta({ example: null }),
  language: z.string().nullable().describe('As given; null if it is detected.').meta({ example: null }),
  author: authorResponse,
  cover_image: z
    .object({ url: z.url(), alt: z.string() })
    .nullable()
    .meta({ example: { url: 'https://example.org/press.jpg', alt: 'A hand press' } }),
};

const detailsObject = z.object(detailsResponse);

export const presentDetails = (
  { type, isFeatured, isUnlisted, series, canonicalUrl, language, author, coverImage }: PostDetails,
  mediaUrl: string,
): z.infer<typeof detailsObject> => ({
  type,
  featured: isFeatured,
  unlisted: isUnlisted,
  series: series && { name: series.name, part: series.part },
  canonical_url: canonicalUrl,
  language,
  author: presentAuthor(author, mediaUrl),
  cover_image: presentCover(coverImage, mediaUrl),
});

export const presentAuthor = (author: Author | null, mediaUrl: string): Author | null =>
  author && { ...author, image: author.image && resolveAddress(author.image, mediaUrl) };

export const presentCover = (
  cover: CoverImage | null,
  mediaUrl: string,
): { url: string; alt: string } | null =>
  cover && { url: resolveAddress(cover.url, mediaUrl), alt: cover.alt };
