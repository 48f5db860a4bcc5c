import { SEARCH_INDEX, SEARCH_PAGE } from '../addresses.ts';
import type { SiteBlog } from '../site/blog.ts';
import { extendPolicy, type Policy, policyOf, policyText } from './content-security-policy.ts';

/** Additional sources by path pattern, for pages that need more than the rest of the blog. `*` matches any suffix. */
const extraPoliciesByPath: Readonly<Record<string, Policy>> = {
  // The page loads the search index, and Pagefind, which is WebAssembly in a worker. A worker has its own policy.
  [SEARCH_PAGE]: {
    'script-src': ["'self'", "'wasm-unsafe-eval'"],
    'worker-src': ["'self'"],
  },
  [`${SEARCH_INDEX}*`]: { 'script-src': ["'self'", "'wasm-unsafe-eval'"] },
};

/** A blog without owner HTML and layout: the default if a folder has no headers file. */
const defaultBlog: Pick<SiteBlog, 'ownerHtml' | 'layout'> = {
  ownerHtml: { header: '', footer: '', ad: '' },
  layout: '',
};

/**
 * A blog's HTTP headers in the `_headers` format of Netlify and Cloudflare Pages: a path pattern, then a line for each
 * header. Later matching sections add to earlier ones, and `!` removes a header that an earlier section has set.
 */
export async function headersFile(
  blog: Pick<SiteBlog, 'ownerHtml' | 'layout'> = defaultBlog,
  more: Readonly<Record<string, Policy>> = extraPoliciesByPath,
): Promise<string> {
  const policy = await policyOf(blog);
  const sections = Object.entries(more).map(
    ([path, additions]) =>
      `\n${path}\n  ! Content-Security-Policy\n  Content-Security-Policy: ${policyText(extendPolicy(policy, additions))}\n`,
  );
  return [
    '/*\n',
    '  X-Content-Type-Options: nosniff\n',
    '  Referrer-Policy: strict-origin-when-cross-origin\n',
    `  Content-Security-Policy: ${policyText(policy)}\n`,
    ...sections,
  ].join('');
}
