import type { BlogIds } from '../blog-ids.ts';
import type { BlogOption, Call, CallOptions, OperationId, OptionsOf } from '../call.ts';
import type { CreateApiKey, ListRedirectsQuery, RegisterDomain, SetRedirects } from '../generated/types.ts';
import { List } from '../list.ts';

/** Options of an operation that has the id of its blog in its path. */
type Options<Id extends OperationId> = OptionsOf<Id> & BlogOption;

/** Path of the blog of a call: that of its options, that of the client, or the one that the API would take. */
export type BlogPath = (options: (BlogOption & CallOptions) | undefined) => Promise<{ id: string }>;

export const blogPathOf =
  (ids: BlogIds, preset: string | undefined): BlogPath =>
  async (options) => {
    const blog = options?.blog ?? preset;
    return { id: await (blog === undefined ? ids.first(options?.signal) : ids.find(blog, options?.signal)) };
  };

/** Redirects from addresses of an earlier site. */
export const redirectsOf = (call: Call, path: BlogPath) => ({
  list: (query: ListRedirectsQuery = {}, options?: Options<'listRedirects'>) =>
    new List(
      async (page: ListRedirectsQuery) =>
        call('listRedirects', { path: await path(options), query: page }, options),
      query,
    ),
  /** Sets one (`from`, `to`) or up to 1,000 (`redirects`), in place of those that the addresses have. */
  set: async (redirects: SetRedirects, options?: Options<'setRedirects'>) =>
    call('setRedirects', { path: await path(options), body: redirects }, options),
  remove: async (redirectId: string, options?: Options<'removeRedirect'>) =>
    call('removeRedirect', { path: { ...(await path(options)), redirectId } }, options),
  /** Removes the redirect at an address. */
  removeAt: async (from: string, options?: Options<'removeRedirectAt'>) =>
    call('removeRedirectAt', { path: await path(options), query: { from } }, options),
});
export type Redirects = ReturnType<typeof redirectsOf>;

/** The custom domain of a blog. */
export const domainOf = (call: Call, path: BlogPath) => ({
  register: async (domain: RegisterDomain, options?: Options<'registerDomain'>) =>
    call('registerDomain', { path: await path(options), body: domain }, options),
  get: async (options?: Options<'getDomain'>) => call('getDomain', { path: await path(options) }, options),
  remove: async (options?: Options<'removeDomain'>) =>
    call('removeDomain', { path: await path(options) }, options),
});
export type Domain = ReturnType<typeof domainOf>;

/** API keys that are bound to a blog. */
export const apiKeysOf = (call: Call, path: BlogPath) => ({
  list: (options?: Options<'listApiKeys'>) =>
    new List(async () => call('listApiKeys', { path: await path(options) }, options), {}),
  /** The only answer with the key itself. */
  create: async (key: CreateApiKey = {}, options?: Options<'createApiKey'>) =>
    call('createApiKey', { path: await path(options), body: key }, options),
  revoke: async (keyId: string, options?: Options<'revokeApiKey'>) =>
    call('revokeApiKey', { path: { ...(await path(options)), keyId } }, options),
});
export type ApiKeys = ReturnType<typeof apiKeysOf>;
