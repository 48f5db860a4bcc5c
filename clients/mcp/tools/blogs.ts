import { z } from 'zod';
import type { UpdateBlog } from '../../sdk/index.ts';
import type { McpServerSettings } from '../settings.ts';
import * as answers from './answers.ts';
import { receiptText, WAIT_SECONDS } from './receipts.ts';
import { Refusal, type Registrar } from './register-tool.ts';
import * as schema from './schemas.ts';

const MAX_BLOG_SLUG = 63;
const MAX_NAME = 200;
const MAX_DESCRIPTION = 1_000;

const blogSlug = z
  .string()
  .regex(/^[a-z0-9-]+$/, 'use a-z, 0-9 and hyphens')
  .max(MAX_BLOG_SLUG);
const name = z.string().min(1).max(MAX_NAME);
const description = z.string().max(MAX_DESCRIPTION);

const createInput = z.strictObject({
  slug: blogSlug.describe('Part of its address'),
  name,
  description: description.optional(),
});
const updateInput = z.strictObject({
  blog: schema.blog,
  name: name.optional(),
  description: description.optional(),
  slug: blogSlug.describe('The old host redirects to the new one').optional(),
  settings: schema.blogSettings.describe('null restores a default').optional(),
  theme_config: schema.themeConfig
    .describe('CSS and HTML of the owner; an empty string removes one')
    .optional(),
});
const deleteInput = z.strictObject({
  blog: schema.oneBlog,
  confirm: schema.confirm('blog'),
});
const activeInput = z.strictObject({ blog_id: schema.oneBlog });
const nothing = z.strictObject({});

/** Tools for blogs. */
export function registerBlogTools(register: Registrar, settings: McpServerSettings): void {
  const { platen } = settings;
  register(
    'list_blogs',
    {
      title: 'List blogs',
      description: 'Lists the blogs that the key can access.',
      input: nothing,
      output: answers.blogList,
      annotations: { readOnlyHint: true },
    },
    async (_, { signal }) => {
      const data = await platen.blogs.list({ signal });
      const lines = data.data.map((blog) => `- ${blog.slug}: ${blog.name} (${blog.id})`);
      return { text: lines.join('\n') || 'There is no blog: create_blog makes one.', data };
    },
  );
  registerActiveBlog(register, settings);
  register(
    'create_blog',
    {
      title: 'Create a blog',
      description: 'Creates a blog.',
      input: createInput,
      output: answers.blog,
      annotations: { destructiveHint: false },
    },
    async (fields, { signal }) => {
      const data = await platen.blogs.create(fields, { signal, wait: WAIT_SECONDS });
      const view = { after: `live at ${data.url}`, before: 'do not see it' };
      return { text: `Created "${data.slug}". ${await receiptText(platen, data, view)}`, data };
    },
  );
  registerUpdate(register, settings);
  registerDeletion(register, settings);
}

function registerActiveBlog(register: Registrar, { platen, activeBlog }: McpServerSettings): void {
  register(
    'set_active_blog',
    {
      title: 'Choose the active blog',
      description:
        activeBlog.choose === null
          ? 'Not over HTTP, where nothing is kept between calls: give blog to each tool.'
          : 'Chooses the blog that later calls use if they name none.',
      input: activeInput,
      output: answers.blog,
      annotations: { destructiveHint: false, idempotentHint: true },
    },
    async ({ blog_id }, { signal }) => {
      if (activeBlog.choose === null) {
        throw new Refusal(
          `Over HTTP nothing is kept between calls. Give blog: ${JSON.stringify(blog_id)} to each tool. (A user who wants one blog for all calls sets the header X-Blog-Id in the client's settings.)`,
        );
      }
      const data = await platen.blogs.get(blog_id, { signal });
      activeBlog.choose(data.id);
      return { text: `"${data.slug}" (${data.name}) is the active blog now.`, data: summary(data) };
    },
  );
}

function registerUpdate(register: Registrar, { platen, activeBlog }: McpServerSettings): void {
  register(
    'update_blog',
    {
      title: 'Change a blog',
      description: 'Changes the given settings of a blog. Every page is rebuilt.',
      input: updateInput,
      output: answers.blog,
      annotations: { idempotentHint: true },
    },
    async ({ blog, ...fields }, { signal }) => {
      if (Object.keys(fields).length === 0)
        throw new Refusal('Nothing to change: give a field besides blog.');
      const chosen = blog ?? activeBlog.current() ?? (await platen.blogs.list({ signal })).data[0]?.id;
      if (chosen === undefined) throw new Refusal('There is no blog: create_blog makes one.');
      const changes: UpdateBlog = fields;
      const data = await platen.blogs.update(chosen, changes, { signal, wait: WAIT_SECONDS });
      // A rebuild of every page may end, or fail, with some of them live.
      const view = { after: `live at ${data.url}`, before: 'do not see all of the change' };
      return { text: `Changed "${data.slug}". ${await receiptText(platen, data, view)}`.trim(), data };
    },
  );
}

function registerDeletion(register: Registrar, { platen, activeBlog }: McpServerSettings): void {
  register(
    'delete_blog',
    {
      title: 'Delete a blog',
      description: 'Deletes a blog for good, with its posts, keys, pages and images.',
      input: deleteInput,
      output: answers.deleted,
      annotations: { destructiveHint: true },
    },
    async ({ blog, confirm }, call) => {
      const { id, slug, name: shown } = await platen.blogs.get(blog, { signal: call.signal });
      const what = `the blog "${shown}" (${slug}) with all its posts, images and keys`;
      const decision = call.decide({ tool: 'delete_blog', what, slug, confirm });
      if (decision.kind === 'ask') return decision.question;
      if (decision.kind === 'refuse') throw new Refusal(decision.reason);
      const data = await platen.blogs.delete(id, { signal: call.signal, wait: WAIT_SECONDS });
      const isActive = activeBlog.current() === id || activeBlog.current() === slug;
      const next = isActive ? ' It was the active blog: choose another with set_active_blog.' : '';
      return { text: `Deleted the blog "${slug}".${next}`, data };
    },
  );
}

/** Styles and layouts can be long, and choosing a blog does not need them. */
const summary = ({ theme_config: _, settings: __, ...rest }: { theme_config: object; settings: object }) =>
  rest;
