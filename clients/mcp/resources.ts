import {
  type ListResourcesResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import type { Completions } from './completions.ts';
import { errorText } from './errors.ts';
import { markdownReference } from './markdown-reference.ts';
import type { McpServerSettings } from './settings.ts';
import { styleText } from './style.ts';

const LISTED_POSTS = 50;
const markdown = { mimeType: 'text/markdown' };

/** The reference of Markdown, the style of each blog, and the Markdown of each post. */
export function registerResources(
  server: McpServer,
  { platen, activeBlog }: McpServerSettings,
  completions: Completions,
): void {
  server.registerResource(
    'markdown',
    'platen://markdown',
    {
      title: 'What Markdown can do here',
      description: 'Read it before writing a post.',
      ...markdown,
      cacheHint: { ttlMs: 86_400_000, cacheScope: 'public' },
    },
    (uri) => textOf(uri, markdownReference),
  );

  const blog = (typed: string) => completions.blogs(typed);
  server.registerResource(
    'style',
    new ResourceTemplate('platen://style/{blog}', { list: undefined, complete: { blog } }),
    {
      title: 'Style of a blog',
      description: 'Settings, newest posts and tags, to write as the blog does.',
      ...markdown,
    },
    (uri, { blog: chosen }) => reading(async () => textOf(uri, await styleText(platen, decoded(chosen)))),
  );

  const list = async (): Promise<ListResourcesResult> => {
    try {
      const blogs = (await platen.blogs.list()).data;
      const active = activeBlog.current();
      const shown = blogs.find(({ id, slug }) => id === active || slug === active) ?? blogs[0];
      if (shown === undefined) return { resources: [] };
      const { data } = await platen.posts.list({ per_page: LISTED_POSTS }, { blog: shown.id });
      const resources = data.map(({ slug, title, meta_description: description }) => ({
        uri: `platen://posts/${shown.slug}/${slug}`,
        name: slug,
        title,
        description,
        ...markdown,
      }));
      return { resources };
    } catch {
      // A key that may not list posts still has the other resources.
      return { resources: [] };
    }
  };
  const slug = (typed: string, context?: { arguments?: Record<string, string> }) =>
    completions.posts(typed, context?.arguments?.blog);
  server.registerResource(
    'post',
    new ResourceTemplate('platen://posts/{blog}/{slug}', { list, complete: { blog, slug } }),
    { title: 'Markdown of a post', ...markdown },
    (uri, variables) =>
      reading(async () => {
        const found = await platen.posts.get(decoded(variables.slug), { blog: decoded(variables.blog) });
        return textOf(uri, found.content_md);
      }),
  );
}

const textOf = (uri: URL, text: string): ReadResourceResult => ({
  contents: [{ uri: uri.href, text, ...markdown }],
});

const decoded = (variable: string | readonly string[] | undefined): string =>
  decodeURIComponent([variable ?? ''].flat().join('/'));

/** The protocol's only error for a resource that cannot be read is that of wrong parameters. */
async function reading(read: () => Promise<ReadResourceResult>): Promise<ReadResourceResult> {
  try {
    return await read();
  } catch (error) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, errorText(error));
  }
}
