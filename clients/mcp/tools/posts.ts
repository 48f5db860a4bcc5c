import { z } from 'zod';
import {
  type ChangedPost,
  type CreatePost,
  type Platen,
  responseOf,
  type UpdatePost,
} from '../../sdk/index.ts';
import type { McpServerSettings } from '../settings.ts';
import * as answers from './answers.ts';
import { type Edit, withEdits } from './edits.ts';
import { optionsFor } from './options.ts';
import { receiptText, WAIT_SECONDS } from './receipts.ts';
import { Refusal, type Registrar } from './register-tool.ts';
import * as schema from './schemas.ts';

const createInput = z.strictObject({
  title: schema.title,
  content: schema.content,
  slug: schema.newSlug.describe('From the title if missing').optional(),
  tags: schema.tags.optional(),
  status: z.enum(['draft', 'published']).default('published'),
  type: z.enum(['post', 'page']).describe('A page, such as /about/, is in no list').optional(),
  ...schema.postDetails,
  blog: schema.blog,
});
const updateInput = z.strictObject({
  slug: schema.slug,
  title: schema.title.optional(),
  content: schema.content.optional(),
  edits: schema.edits.optional(),
  tags: schema.tags.optional(),
  new_slug: schema.newSlug.describe('The old address redirects to it').optional(),
  ...schema.postDetails,
  blog: schema.blog,
});

/** Tools that write the content of posts. */
export function registerPostTools(register: Registrar, settings: McpServerSettings): void {
  registerCreate(register, settings);
  registerUpdate(register, settings);
}

function registerCreate(register: Registrar, settings: McpServerSettings): void {
  const { platen } = settings;
  register(
    'create_post',
    {
      title: 'Create a post',
      description: 'Creates a post and publishes it, unless status is "draft".',
      input: createInput,
      output: answers.createdPost,
      annotations: { destructiveHint: false },
    },
    async ({ blog, ...args }, call) => {
      const fields: CreatePost = schema.postFields(args);
      const options = { ...optionsFor(settings, blog, call), wait: WAIT_SECONDS };
      const data = await platen.posts.create(fields, options);
      const text =
        data.status === 'draft'
          ? `Saved the draft "${data.slug}". preview_post makes a link to read it, publish_post publishes it.`
          : `Published "${data.slug}". ${await receiptText(platen, data, {
              after: `live at ${data.url}`,
              before: 'do not see it',
            })}`;
      return { text, data };
    },
  );
}

function registerUpdate(register: Registrar, settings: McpServerSettings): void {
  const { platen } = settings;
  register(
    'update_post',
    {
      title: 'Change a post',
      description:
        'Changes the given fields of a post; null removes one. content replaces all of its Markdown, edits passages.',
      input: updateInput,
      output: answers.changedPost,
      annotations: { destructiveHint: true },
    },
    async ({ blog, slug, new_slug, edits, ...others }, call) => {
      if (edits && others.content !== undefined) throw new Refusal('Give either content or edits, not both.');
      const options = optionsFor(settings, blog, call);
      const edited = edits && (await editedContent(platen, slug, edits, options));
      const fields: UpdatePost = {
        ...schema.postFields(others),
        ...(new_slug !== undefined && { slug: new_slug }),
        ...(edited && { content: edited.content }),
      };
      if (Object.keys(fields).length === 0)
        throw new Refusal('Nothing to change: give a field besides slug.');
      const ifMatch = edited?.etag;
      const changed = await platen.posts.update(slug, fields, { ...options, ifMatch, wait: WAIT_SECONDS });
      return { text: await changeText(platen, changed), data: withoutContent(changed) };
    },
  );
}

/** The edited Markdown of a post, and the version that was edited, so that no other change gets lost. */
async function editedContent(
  platen: Platen,
  slug: string,
  edits: readonly Edit[],
  options: ReturnType<typeof optionsFor>,
): Promise<{ readonly content: string; readonly etag: string | undefined }> {
  const post = await platen.posts.get(slug, options);
  const content = await withEdits(post.content_md, edits, options.signal);
  return { content, etag: responseOf(post).etag };
}

async function changeText(platen: Platen, changed: ChangedPost): Promise<string> {
  const start = `Changed "${changed.slug}".`;
  if (changed.status !== 'published') return `${start} It is ${changed.status}, so readers do not see it.`;
  const view = { after: `live at ${changed.url}`, before: 'do not see the change' };
  const receipt = await receiptText(platen, changed, view);
  return `${start} ${receipt || `Live at ${changed.url} as before.`}`;
}

/** The agent has just sent the content: returning it would cost as much again. */
function withoutContent({ content_md: _, content_html: __, ...rest }: ChangedPost): object {
  return rest;
}
