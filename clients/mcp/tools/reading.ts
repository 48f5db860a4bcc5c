import { z } from 'zod';
import type { Post } from '../../sdk/index.ts';
import type { McpServerSettings } from '../settings.ts';
import * as answers from './answers.ts';
import { optionsFor } from './options.ts';
import { pageText } from './page-text.ts';
import type { Registrar } from './register-tool.ts';
import * as schema from './schemas.ts';

const MAX_LISTED = 100;
const MAX_FOUND = 50;
const readOnly = { readOnlyHint: true };

const listInput = z.strictObject({
  type: z.enum(['post', 'page']).optional(),
  status: z.enum(['draft', 'published', 'scheduled']).optional(),
  tag: z.string().optional(),
  ...schema.pageFields(MAX_LISTED),
  sort: z.enum(['created_at', 'updated_at', 'published_at']).default('created_at'),
  order: z.enum(['desc', 'asc']).default('desc'),
  blog: schema.blog,
});
const oneInput = z.strictObject({ slug: schema.slug, blog: schema.blog });
const searchInput = z.strictObject({ q: schema.query, ...schema.pageFields(MAX_FOUND), blog: schema.blog });
const discoverInput = z.strictObject({
  q: schema.query,
  tag: z.string().optional(),
  ...schema.pageFields(MAX_FOUND),
});

/** Tools that list, get and find posts. */
export function registerReadingTools(register: Registrar, settings: McpServerSettings): void {
  registerList(register, settings);
  registerGet(register, settings);
  registerSearch(register, settings);
  registerDiscover(register, settings);
}

function registerList(register: Registrar, settings: McpServerSettings): void {
  register(
    'list_posts',
    {
      title: 'List posts',
      description: 'Lists posts and pages of a blog, drafts included.',
      input: listInput,
      output: answers.postPage,
      annotations: readOnly,
    },
    async ({ blog, ...query }, call) => {
      const data = await settings.platen.posts.list(query, optionsFor(settings, blog, call));
      const lines = data.data.map(({ slug, title, type, status, tags }) => {
        const about = [...(type === 'page' ? ['page'] : []), status, ...tags];
        return `- ${slug}: ${title} (${about.join(', ')})`;
      });
      return { text: pageText(lines, data.pagination), data };
    },
  );
}

function registerGet(register: Registrar, settings: McpServerSettings): void {
  register(
    'get_post',
    {
      title: 'Get a post',
      description: 'Gets a post with its Markdown.',
      input: oneInput,
      output: answers.post,
      annotations: readOnly,
    },
    async ({ slug, blog }, call) => {
      // The HTML says the same again, at several times the length.
      const { content_html: _, ...data } = await settings.platen.posts.get(
        slug,
        optionsFor(settings, blog, call),
      );
      return { text: postText(data), data };
    },
  );
}

function registerSearch(register: Registrar, settings: McpServerSettings): void {
  register(
    'search_posts',
    {
      title: 'Search posts',
      description: 'Searches the published posts of a blog.',
      input: searchInput,
      output: answers.foundPage,
      annotations: readOnly,
    },
    async ({ blog, ...query }, call) => {
      const data = await settings.platen.search(query, optionsFor(settings, blog, call));
      const lines = data.data.map(({ slug, title, excerpt }) => `- ${slug}: ${title}\n  ${excerpt}`);
      return { text: pageText(lines, data.pagination), data };
    },
  );
}

function registerDiscover(register: Registrar, { platen }: McpServerSettings): void {
  register(
    'discover_posts',
    {
      title: 'Discover posts',
      description: 'Searches the published posts of all blogs on this server.',
      input: discoverInput,
      output: answers.discoveredPage,
      annotations: readOnly,
    },
    async (query, { signal }) => {
      const data = await platen.discover(query, { signal });
      const lines = data.data.map(
        ({ title, blog_name, url, excerpt }) => `- ${title} (${blog_name}): ${url}\n  ${excerpt}`,
      );
      return { text: pageText(lines, data.pagination), data };
    },
  );
}

/** The post as a file with front matter, without the fields that it does not have. */
function postText(post: Omit<Post, 'content_html'>): string {
  const { title, slug, url, status, type, tags, meta_description: description, translations } = post;
  const { published_at, scheduled_at, series, author, language, cover_image, canonical_url } = post;
  const { featured, unlisted, taken_down_reason } = post;
  const front = {
    ...{ title, slug, url, status, type, tags, description, published_at, scheduled_at, series, author },
    ...{ language, cover_image, canonical_url, translations },
    ...{ featured: featured || undefined, unlisted: unlisted || undefined, taken_down_reason },
  };
  const lines = Object.entries(front)
    .filter(([, value]) => value != null && JSON.stringify(value) !== '{}')
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return ['---', ...lines, '---', '', post.content_md].join('\n');
}
