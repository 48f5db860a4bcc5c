import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { SiteBlog } from '../site.ts';
import { templatePath } from '../theme/template-path.ts';

/** A `Content-Security-Policy`: its directives with their sources. */
export type Policy = Readonly<Record<string, readonly string[]>>;

/** The theme's scripts that stand in pages. */
const scripts = ['scheme', 'contents', 'copy-code', 'search'];

/**
 * What the theme's own pages may do: run the theme's own scripts and no other, and frame nothing but videos. Styles
 * stand in the page, also as attributes within formulas, where no author can reach them. The blog's own host may be asked:
 * Lighthouse reads robots.txt through the page that it judges, and takes what it may not read for faulty.
 */
export async function strictPolicy(): Promise<Policy> {
  return {
    'default-src': ["'none'"],
    'script-src': await Promise.all(scripts.map(hashOf)),
    'style-src': ["'unsafe-inline'"],
    'img-src': ['*', 'data:'],
    'media-src': ['*'],
    'frame-src': ['https://www.youtube-nocookie.com'],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'self'"],
    // No script of the theme's needs it but that of search; Lighthouse, which reads robots.txt through a page, does.
    'connect-src': ["'self'"],
  };
}

/**
 * What pages may do where their owner has added to them, as advertisements and statistics need it: run what the owner
 * wrote, and ask others over https. Nothing may change where the page's links lead, or frame it.
 */
const openPolicy: Policy = {
  'default-src': ["'self'", 'https:', 'data:', 'blob:', "'unsafe-inline'", "'unsafe-eval'"],
  'connect-src': ["'self'", 'https:', 'wss:', 'data:', 'blob:'],
  'img-src': ['*', 'data:', 'blob:'],
  'media-src': ['*', 'data:', 'blob:'],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'", 'https:'],
  'frame-ancestors': ["'self'"],
};

/** The policy of a blog's pages: the strict one, unless its owner has put something on them that needs more. */
export const policyOf = async (blog: Pick<SiteBlog, 'ownerHtml' | 'layout'>): Promise<Policy> =>
  Object.values(blog.ownerHtml).some(Boolean) || asksForMore.test(blog.layout) ? openPolicy : strictPolicy();

/** What in a layout does nothing under the strict policy: scripts, and what is loaded or sent elsewhere. */
const asksForMore = /<(?:script|link|iframe|form|object|embed)\b|\son[a-z]+\s*=|@import|@font-face/i;

/** A policy with more sources for some directives; one that is missing begins as `default-src` has it. */
export const allowing = (policy: Policy, more: Policy): Policy => ({
  ...policy,
  ...Object.fromEntries(
    Object.entries(more).map(([directive, sources]) => {
      const present = policy[directive] ?? policy['default-src'] ?? [];
      return [directive, [...new Set([...present.filter((source) => source !== "'none'"), ...sources])]];
    }),
  ),
});

export const policyText = (policy: Policy): string =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ');

async function hashOf(script: string): Promise<string> {
  const module: unknown = await import(pathToFileURL(templatePath(`scripts/${script}.js`)).href);
  if (
    typeof module === 'object' &&
    module !== null &&
    'default' in module &&
    typeof module.default === 'string'
  ) {
    return `'sha256-${createHash('sha256').update(module.default).digest('base64')}'`;
  }
  throw new Error(`The compiled script ${script} has no text`);
}
