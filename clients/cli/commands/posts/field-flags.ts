import { text, texts } from '../../command-line/flags.ts';

/** Options that say what front matter says, and come before it. */
export const fieldFlags = {
  title: text('title', 'title'),
  slug: text('slug', 'last part of the address'),
  tag: texts('tag', 'a tag; repeat it for more, in place of those of the file'),
  description: text('text', 'for search engines and link previews'),
  content: text('markdown', 'the text, in place of a file'),
};
