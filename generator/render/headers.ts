import type { SiteBlog } from '../site.ts';
import { allowing, type Policy, policyOf, policyText } from './content-security-policy.ts';

/** Paths whose pages may do more than the rest of the blog, and what. `*` stands for the rest of a path. */
const morePolicies: Readonly<Record<string, Policy>> = {
  // The page loads what is searched, and Pagefind, which is WebAssembly in a worker. A worker has a policy of its own.
  '/search/': {
    'script-src': ["'self'", "'wasm-unsafe-eval'"],
    'worker-src': ["'self'"],
  },
  '/pagefind/*': { 'script-src': ["'self'", "'wasm-unsafe-eval'"] },
};

/** A blog that nothing has been added to: what is sent for a folder that has no headers of its own. */
const plain: Pick<SiteBlog, 'ownerHtml' | 'layout'> = {
  ownerHtml: { header: '', footer: '', ad: '' },
  layout: '',
};

/**
 * The headers of a blog's files, in the format that Netlify and Cloudflare Pages read: a pattern of paths, then a line
 * for each header. A later section that matches adds to the earlier ones, and `!` first takes a header of theirs away.
 */
export async function headersFile(
  blog: Pick<SiteBlog, 'ownerHtml' | 'layout'> = plain,
  more: Readonly<Record<string, Policy>> = morePolicies,
): Promise<string> {
  const policy = await policyOf(blog);
  const sections = Object.entries(more).map(
    ([path, additions]) =>
      `\n${path}\n  ! Content-Security-Policy\n  Content-Security-Policy: ${policyText(allowing(policy, additions))}\n`,
  );
  return [
    '/*\n',
    '  X-Content-Type-Options: nosniff\n',
    '  Referrer-Policy: strict-origin-when-cross-origin\n',
    `  Content-Security-Policy: ${policyText(policy)}\n`,
    ...sections,
  ].join('');
}
