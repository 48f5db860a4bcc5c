import { z } from 'zod';
import type { PostContent } from '../domain/post.ts';
import { postContent } from './posts.ts';

export const renderMarkdownBody = z.object({ content: postContent });

export const renderedMarkdown = z.object({
  content_html: z.string(),
  headings: z.array(z.object({ level: z.int(), id: z.string(), text: z.string() })),
  meta_description: z.string(),
  word_count: z.int(),
});

export const presentMarkdown = (content: PostContent): z.infer<typeof renderedMarkdown> => ({
  content_html: content.html,
  headings: content.headings.map(({ level, id, text }) => ({ level, id, text })),
  meta_description: content.description,
  word_count: content.wordCount,
});
