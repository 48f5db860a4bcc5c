import { z } from 'zod';
import { resolveAddress } from '../addresses/image-addresses.ts';
import { resolveHtml } from '../media/references.ts';
import { storableText } from '../wire/text.ts';
import type { PostContent } from './post-content.ts';

/** The interface's limit. */
const CONTENT_MAX_BYTES = 1_048_576;

export const postContent = storableText()
  .refine((text) => text.trim() !== '', 'must not be empty')
  .refine(
    (text) => Buffer.byteLength(text) <= CONTENT_MAX_BYTES,
    `must be at most ${CONTENT_MAX_BYTES} bytes`,
  )
  .meta({
    minLength: 1,
    maxLength: CONTENT_MAX_BYTES,
    description: `GitHub Flavored Markdown, at most ${CONTENT_MAX_BYTES} bytes of UTF-8.`,
    example: 'My **first** post.',
  });

export const renderMarkdownBody = z.object({ content: postContent }).meta({ id: 'RenderMarkdown' });

export const renderedMarkdown = z
  .object({
    content_html: z.string().meta({ example: '<p>My <strong>first</strong> post.</p>' }),
    headings: z
      .array(z.object({ level: z.int().min(1).max(6), id: z.string(), text: z.string() }))
      .meta({ example: [{ level: 2, id: 'setup', text: 'Setup' }] }),
    meta_description: z.string().meta({ example: 'My first post.' }),
    word_count: z.int().min(0).meta({ example: 3 }),
    reading_minutes: z.int().min(1).meta({ description: 'Whole minutes, at least one.', example: 1 }),
    links: z.array(z.string()).meta({
      description: 'The http and https addresses that the text links to, each once, in order.',
      example: ['https://example.org/'],
    }),
  })
  .meta({ id: 'RenderedMarkdown' });

export const presentMarkdown = (
  content: PostContent,
  mediaUrl: string,
): z.infer<typeof renderedMarkdown> => ({
  content_html: resolveHtml(content.html, mediaUrl),
  headings: content.headings.map(({ level, id, text }) => ({ level, id, text })),
  meta_description: content.description,
  word_count: content.wordCount,
  reading_minutes: content.readingMinutes,
  links: content.links.map((link) => resolveAddress(link, mediaUrl)),
});
