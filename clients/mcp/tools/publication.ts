import { z } from 'zod';
import type { McpServerSettings } from '../settings.ts';
import * as answers from './answers.ts';
import { optionsFor } from './options.ts';
import { receiptText, type View, WAIT_SECONDS } from './receipts.ts';
import { Refusal, type Registrar } from './register-tool.ts';
import * as schema from './schemas.ts';

const oneInput = z.strictObject({ slug: schema.slug, blog: schema.blog });
const publishInput = z.strictObject({
  slug: schema.slug,
  published_at: schema.publishedAt,
  blog: schema.blog,
});
const scheduleInput = z.strictObject({
  slug: schema.slug,
  scheduled_at: z.string().describe('ISO 8601 with a time zone, in the future'),
  blog: schema.blog,
});
const previewInput = z.strictObject({
  slug: schema.slug,
  expires_in: z.int().min(1).describe('Days; 7 if missing').optional(),
  blog: schema.blog,
});
const deleteInput = z.strictObject({ slug: schema.slug, confirm: schema.confirm('post'), blog: schema.blog });

const gone: View = { after: 'gone for readers', before: 'still see it' };

/** Tools that decide who sees a post, and when. */
export function registerPublicationTools(register: Registrar, settings: McpServerSettings): void {
  registerPublish(register, settings);
  registerSchedule(register, settings);
  registerUnpublish(register, settings);
  registerPreview(register, settings);
  registerDelete(register, settings);
}

function registerPublish(register: Registrar, settings: McpServerSettings): void {
  const { platen } = settings;
  register(
    'publish_post',
    {
      title: 'Publish a post',
      description: 'Publishes a draft or scheduled post now.',
      input: publishInput,
      output: answers.publishedPost,
      annotations: { destructiveHint: false, idempotentHint: true },
    },
    async ({ slug, published_at, blog }, call) => {
      const options = { ...optionsFor(settings, blog, call), wait: WAIT_SECONDS };
      const fields = published_at === undefined ? undefined : { published_at };
      const data = await platen.posts.publish(slug, fields, options);
      const view = { after: `live at ${data.url}`, before: 'do not see it' };
      const receipt = await receiptText(platen, data, view);
      return { text: `Published "${data.slug}". ${receipt || `Live at ${data.url} as before.`}`, data };
    },
  );
}

function registerSchedule(register: Registrar, settings: McpServerSettings): void {
  const { platen } = settings;
  register(
    'schedule_post',
    {
      title: 'Schedule a post',
      description: 'Publishes a post at a time in the future. Until then, readers do not see it.',
      input: scheduleInput,
      output: answers.scheduledPost,
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    async ({ slug, scheduled_at, blog }, call) => {
      const options = { ...optionsFor(settings, blog, call), wait: WAIT_SECONDS };
      const data = await platen.posts.schedule(slug, { scheduled_at }, options);
      // Only a post that was published has a receipt: scheduling takes it offline.
      const view = { ...gone, after: 'gone for readers until that time' };
      const receipt = await receiptText(platen, data, view);
      return { text: `"${data.slug}" will be published at ${data.scheduled_at}. ${receipt}`.trim(), data };
    },
  );
}

function registerUnpublish(register: Registrar, settings: McpServerSettings): void {
  const { platen } = settings;
  register(
    'unpublish_post',
    {
      title: 'Unpublish a post',
      description: 'Makes a published or scheduled post a draft again.',
      input: oneInput,
      output: answers.unpublishedPost,
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    async ({ slug, blog }, call) => {
      const options = { ...optionsFor(settings, blog, call), wait: WAIT_SECONDS };
      const data = await platen.posts.unpublish(slug, options);
      const receipt = await receiptText(platen, data, gone);
      return { text: `"${data.slug}" is a draft. ${receipt}`.trim(), data };
    },
  );
}

function registerPreview(register: Registrar, settings: McpServerSettings): void {
  const { platen } = settings;
  register(
    'preview_post',
    {
      title: 'Preview a draft',
      description: 'Makes a secret link with which anyone can read a draft until the link expires.',
      input: previewInput,
      output: answers.preview,
      annotations: { destructiveHint: false },
    },
    async ({ slug, expires_in, blog }, call) => {
      const fields = expires_in === undefined ? undefined : { expires_in };
      const data = await platen.posts.preview(slug, fields, optionsFor(settings, blog, call));
      return { text: `Read it at ${data.url} until ${data.expires_at}.`, data };
    },
  );
}

function registerDelete(register: Registrar, settings: McpServerSettings): void {
  const { platen } = settings;
  register(
    'delete_post',
    {
      title: 'Delete a post',
      description: 'Deletes a post for good. unpublish_post keeps it as a draft.',
      input: deleteInput,
      output: answers.deleted,
      annotations: { destructiveHint: true },
    },
    async ({ slug, blog, confirm }, call) => {
      const options = optionsFor(settings, blog, call);
      const place = options.blog === undefined ? '' : ` of the blog ${JSON.stringify(options.blog)}`;
      const what = `the post "${slug}"${place}`;
      const decision = call.decide({ tool: 'delete_post', what, slug, confirm });
      if (decision.kind === 'ask') return decision.question;
      if (decision.kind === 'refuse') throw new Refusal(decision.reason);
      const data = await platen.posts.delete(slug, { ...options, wait: WAIT_SECONDS });
      const receipt = await receiptText(platen, data, gone);
      return { text: `Deleted "${slug}". ${receipt}`.trim(), data };
    },
  );
}
