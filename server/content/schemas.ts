import { z } from 'zod';
import type { PostContent } from '../posts/post.ts';
import { postContent } from '../posts/schemas.ts';

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

export const presentMarkdown = (content: PostContent): z.infer<typeof renderedMarkdown> => ({
  content_html: content.html,
  headings: content.headings.map(({ level, id, text }) => ({ level, id, text })),
  meta_description: content.description,
  word_count: content.wordCount,
  reading_minutes: content.readingMinutes,
  links: [...content.links],
});
