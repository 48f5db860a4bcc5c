import { z } from 'zod';
import type { McpServerSettings } from '../settings.ts';
import { boundedArray } from '../validation/bounded.ts';
import * as answers from './answers.ts';
import { optionsFor } from './options.ts';
import { pageText } from './page-text.ts';
import { receiptText, WAIT_SECONDS } from './receipts.ts';
import type { Registrar } from './register-tool.ts';
import * as schema from './schemas.ts';

/** Limits of the API. */
const MAX_LISTED = 100;
const MAX_SET = 1_000;

const outcomes = ['created', 'replaced', 'unchanged'] as const;

const from = z.string().min(1).describe('Path on the blog, such as /2019/old.html');
const listInput = z.strictObject({
  from: from.optional(),
  ...schema.pageFields(MAX_LISTED),
  blog: schema.blog,
});
const redirect = z.strictObject({
  from,
  to: z.string().min(1).describe('Path on the blog, or an address'),
});
const setInput = z.strictObject({
  redirects: boundedArray(z.array(redirect).min(1), MAX_SET),
  blog: schema.blog,
});
const removeInput = z.strictObject({ from, blog: schema.blog });

/** Tools for redirects from addresses of an earlier site. Changed slugs redirect by themselves. */
export function registerRedirectTools(register: Registrar, settings: McpServerSettings): void {
  registerList(register, settings);
  registerSet(register, settings);
  registerRemove(register, settings);
}

function registerList(register: Registrar, settings: McpServerSettings): void {
  register(
    'list_redirects',
    {
      title: 'List redirects',
      description: 'Lists the redirects of a blog.',
      input: listInput,
      output: answers.redirectPage,
      annotations: { readOnlyHint: true },
    },
    async ({ blog, ...query }, call) => {
      const data = await settings.platen.redirects.list(query, optionsFor(settings, blog, call));
      const lines = data.data.map((redirect) => `- ${redirect.from} -> ${redirect.to}`);
      return { text: pageText(lines, data.pagination), data };
    },
  );
}

function registerSet(register: Registrar, settings: McpServerSettings): void {
  const { platen } = settings;
  register(
    'set_redirects',
    {
      title: 'Set redirects',
      description:
        'Redirects old addresses, replacing redirects they have. Changed slugs redirect by themselves.',
      input: setInput,
      output: answers.writtenRedirects,
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    async ({ redirects, blog }, call) => {
      const options = { ...optionsFor(settings, blog, call), wait: WAIT_SECONDS };
      const data = await platen.redirects.set({ redirects }, options);
      const counts = outcomes.map((outcome) => {
        const { length } = data.data.filter(({ result }) => result === outcome);
        return length === 0 ? [] : [`${length} ${outcome}`];
      });
      const receipt = await receiptText(platen, data, {
        after: 'live for readers',
        before: 'do not see the change',
      });
      return { text: `Redirects: ${counts.flat().join(', ')}. ${receipt}`.trim(), data };
    },
  );
}

function registerRemove(register: Registrar, settings: McpServerSettings): void {
  const { platen } = settings;
  register(
    'remove_redirect',
    {
      title: 'Remove a redirect',
      description: 'Removes the redirect at an address. set_redirects can set it again.',
      input: removeInput,
      output: answers.deleted,
      annotations: { destructiveHint: true },
    },
    async ({ from: address, blog }, call) => {
      const options = { ...optionsFor(settings, blog, call), wait: WAIT_SECONDS };
      const data = await platen.redirects.removeAt(address, options);
      const receipt = await receiptText(platen, data, {
        after: 'gone for readers',
        before: 'are still redirected',
      });
      return { text: `Removed the redirect at ${address}. ${receipt}`.trim(), data };
    },
  );
}
