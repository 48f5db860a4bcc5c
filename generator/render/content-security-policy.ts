import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { SiteBlog } from '../site/blog.ts';
import { templatePath } from '../template-path.ts';

/** A `Content-Security-Policy`: sources by directive. */
export type Policy = Readonly<Record<string, readonly string[]>>;

/** The theme's inline scripts. */
const inlineScripts = ['scheme', 'contents', 'copy-code', 'copy-link', 'footnotes', 'pictures', 'search'];

/**
 * The policy of the theme's own pages: they run only the theme's scripts, and frame only videos. Styles are inline,
 * also as attributes in formulas, where no author can change them. Pages may fetch from their own host because
 * Lighthouse reads robots.txt through the page, and reports a blocked robots.txt as invalid.
 */
export async function strictPolicy(): Promise<Policy> {
  return {
    'default-src': ["'none'"],
    'script-src': await Promise.all(inlineScripts.map(scriptHash)),
    // Inline in pages; feeds have a file.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ['*', 'data:'],
    'media-src': ['*'],
    'manifest-src': ["'self'"],
    'frame-src': ['https://www.youtube-nocookie.com'],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'self'"],
    // The search script needs this, and so does Lighthouse on every page.
    'connect-src': ["'self'"],
  };
}

/**
 * The policy of pages to which their owner has added HTML, such as advertisements and analytics: they may run the
 * owner's code, and send requests to other hosts over https. Nothing may change the base of the page's links, or frame
 * the page.
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

/** The policy of a blog's pages: the strict one, unless owner HTML or the layout needs more. */
export const policyOf = async (blog: Pick<SiteBlog, 'ownerHtml' | 'layout'>): Promise<Policy> =>
  Object.values(blog.ownerHtml).some(Boolean) || needsOpenPolicy.test(blog.layout)
    ? openPolicy
    : strictPolicy();

/** Markup in a layout that the strict policy would block: scripts, forms and external resources. */
const needsOpenPolicy = /<(?:script|link|iframe|form|object|embed)\b|\son[a-z]+\s*=|@import|@font-face/i;

/** Adds sources to some directives of a policy; a missing directive starts from `default-src`. */
export const extendPolicy = (policy: Policy, more: Policy): Policy => ({
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

async function scriptHash(script: string): Promise<string> {
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
