import { completable, type GetPromptResult, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Completions } from './completions.ts';
import { markdownReference } from './markdown-reference.ts';
import type { McpServerSettings } from './settings.ts';
import { MAX_BLOG, MAX_SLUG } from './tools/schemas.ts';

/** More than a person types into a form. The prompt repeats it. */
const MAX_TOPIC = 10_000;

/** Prompts for common jobs. Over HTTP a blog has to be named in each call, so they name it. */
export function registerPrompts(
  server: McpServer,
  { activeBlog }: McpServerSettings,
  completions: Completions,
): void {
  const blog = completable(
    z.string().max(MAX_BLOG).describe('Slug of the blog; the active one if missing').optional(),
    (typed) => completions.blogs(typed ?? ''),
  );
  const slug = completable(z.string().min(1).max(MAX_SLUG).describe('Slug of the post'), (typed, context) =>
    completions.posts(typed, context?.arguments?.blog),
  );
  const place = (chosen: string | undefined) => {
    const named = chosen ?? activeBlog.current();
    return named === undefined ? '' : ` Give blog: ${JSON.stringify(named)} to every tool that takes it.`;
  };

  server.registerPrompt(
    'write_post',
    {
      title: 'Write a post',
      description: 'Writes a post in the style of the blog, as a draft for you to review.',
      argsSchema: z.object({ topic: z.string().min(1).max(MAX_TOPIC).describe('What it is about'), blog }),
    },
    ({ topic, blog: chosen }) =>
      asked(`Write a blog post about: ${topic}

1. Use list_posts and get_post to see what the blog has and how it sounds, and search_posts for posts to link to.${place(chosen)}
2. Write it in that voice and language, and use tags that the blog already has.
3. Save it with create_post and status "draft", with a description of one sentence.
4. Show me the link from preview_post, and publish only when I say so.

${markdownReference}`),
  );

  server.registerPrompt(
    'improve_post',
    {
      title: 'Improve a post',
      description: 'Reads a post, proposes improvements, and makes those that you choose.',
      argsSchema: z.object({ slug, blog }),
    },
    ({ slug: post, blog: chosen }) =>
      asked(`Read the post "${post}" with get_post.${place(chosen)} Look for mistakes, unclear sentences, missing
links (search_posts), pictures without alt text, and a weak title or description. List what you would change, one line each.
When I have chosen, make the changes with one call of update_post, and keep everything else as it is.`),
  );

  server.registerPrompt(
    'review_drafts',
    {
      title: 'Review the drafts',
      description: 'Says what each draft needs before it can be published.',
      argsSchema: z.object({ blog }),
    },
    ({ blog: chosen }) =>
      asked(`List the drafts with list_posts (status "draft") and read each with get_post.${place(chosen)}
Tell me in a table what each is about, how finished it is, and what it needs. Publish and delete nothing.`),
  );

  server.registerPrompt(
    'report_views',
    {
      title: 'Report on the views',
      description: 'Sums up what was read, and suggests what to write next.',
      argsSchema: z.object({ blog }),
    },
    ({ blog: chosen }) =>
      asked(`Use get_analytics for 7d and for 30d, and list_posts.${place(chosen)} Tell me in a few sentences what was
read, what is new in the last week, and three posts that these numbers suggest writing.`),
  );
}

const asked = (text: string): GetPromptResult => ({
  messages: [{ role: 'user', content: { type: 'text', text } }],
});
