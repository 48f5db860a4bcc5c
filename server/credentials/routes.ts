import { type Endpoint, endpoint } from '../http/endpoint.ts';
import * as schema from './schemas.ts';
import type { Tokens } from './tokens.ts';

interface TokensRoutes {
  readonly tokens: Tokens;
}

export const tokensEndpoints = (routes: TokensRoutes): Endpoint[] => [
  createApiKey(routes),
  listApiKeys(routes),
  revokeApiKey(routes),
  createToken(routes),
  listTokens(routes),
  revokeToken(routes),
];

const createApiKey = ({ tokens }: TokensRoutes): Endpoint =>
  endpoint({
    method: 'post',
    path: '/blogs/:id/api-keys',
    id: 'createApiKey',
    idempotent: 'secret',
    summary: 'Create an API key that is bound to the blog',
    tag: 'keys',
    scope: 'blogs:write',
    body: schema.createApiKeyBody,
    instead: { expires_at: 'send `expires_in`, in days' },
    status: 201,
    response: schema.createdApiKey,
    async handle({ caller, params, body, withIdempotency }) {
      const blogId = params.id ?? '';
      const request = schema.parseTokenRequest(body);
      return schema.presentCreatedApiKey(
        await withIdempotency(blogId, (once) => once(() => tokens.mintForBlog(caller, blogId, request))),
      );
    },
  });

const listApiKeys = ({ tokens }: TokensRoutes): Endpoint =>
  endpoint({
    method: 'get',
    path: '/blogs/:id/api-keys',
    id: 'listApiKeys',
    summary: 'List the API keys that are bound to the blog',
    tag: 'keys',
    scope: 'blogs:read',
    status: 200,
    response: schema.apiKeyList,
    handle: async ({ caller, params }) =>
      schema.presentApiKeys(await tokens.listForBlog(caller, params.id ?? '')),
  });

const revokeApiKey = ({ tokens }: TokensRoutes): Endpoint =>
  endpoint({
    method: 'delete',
    path: '/blogs/:id/api-keys/:keyId',
    id: 'revokeApiKey',
    summary: 'Revoke an API key of the blog',
    tag: 'keys',
    scope: 'blogs:write',
    status: 200,
    response: schema.revoked,
    async handle({ caller, params }) {
      await tokens.revokeForBlog(caller, params.id ?? '', params.keyId ?? '');
      return { revoked: true as const };
    },
  });

const createToken = ({ tokens }: TokensRoutes): Endpoint =>
  endpoint({
    method: 'post',
    path: '/account/tokens',
    id: 'createToken',
    idempotent: 'secret',
    errors: ['not_found'],
    summary: 'Create a token with chosen scopes, for one blog or all of them',
    tag: 'keys',
    scope: 'account:write',
    body: schema.createTokenBody,
    instead: { expires_at: 'send `expires_in`, in days' },
    status: 201,
    response: schema.createdToken,
    async handle({ caller, body, withIdempotency }) {
      const { blog_id: blogId } = body;
      const request = schema.parseTokenRequest(body);
      return schema.presentCreatedToken(
        await withIdempotency(blogId, (once) => once(() => tokens.mint(caller, blogId, request))),
      );
    },
  });

const listTokens = ({ tokens }: TokensRoutes): Endpoint =>
  endpoint({
    method: 'get',
    path: '/account/tokens',
    id: 'listTokens',
    summary: 'List the tokens and API keys of the account',
    tag: 'keys',
    scope: 'account:read',
    status: 200,
    response: schema.tokenList,
    handle: async ({ caller }) => schema.presentTokens(await tokens.list(caller)),
  });

const revokeToken = ({ tokens }: TokensRoutes): Endpoint =>
  endpoint({
    method: 'delete',
    path: '/account/tokens/:id',
    id: 'revokeToken',
    summary: 'Revoke a token or an API key of the account',
    tag: 'keys',
    scope: 'account:write',
    status: 200,
    response: schema.revoked,
    async handle({ caller, params }) {
      await tokens.revoke(caller, params.id ?? '');
      return { revoked: true as const };
    },
  });
