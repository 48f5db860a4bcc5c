// Slow: starts a whole server, and calls every operation with every scope.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endpoints } from '../../../server/app.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { callablePath } from '../../support/endpoint-path.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

/** The scopes that the interface lists; `*` includes them all. */
const scopes = [
  'posts:read',
  'posts:write',
  'blogs:read',
  'blogs:write',
  'analytics:read',
  'search:read',
  'account:read',
  'account:write',
  'packs:read',
  'packs:write',
  'domains:read',
  'domains:write',
  'media:write',
  'media:read',
] as const;
type Scope = (typeof scopes)[number];

/**
 * Every operation with the only scope besides `*` that opens it, or `public`. Written from the interface, never from
 * the code. Operations that the interface lacks are below the line, judged by their resource.
 */
const table = `
  POST   /posts                             posts:write
  GET    /posts                             posts:read
  GET    /posts/:slug                       posts:read
  PUT    /posts/:slug                       posts:write
  DELETE /posts/:slug                       posts:write
  POST   /posts/:slug/publish               posts:write
  POST   /posts/:slug/schedule              posts:write
  GET    /search                            search:read
  GET    /discover                          public
  POST   /blogs                             blogs:write
  GET    /blogs                             blogs:read
  PUT    /blogs/:id                         blogs:write
  DELETE /blogs/:id                         blogs:write
  POST   /blogs/:id/api-keys                blogs:write
  GET    /blogs/:id/api-keys                blogs:read
  DELETE /blogs/:id/api-keys/:keyId         blogs:write
  POST   /blogs/:id/domain                  domains:write
  GET    /blogs/:id/domain                  domains:read
  DELETE /blogs/:id/domain                  domains:write
  GET    /account/profile                   account:read
  POST   /account/tokens                    account:write
  GET    /account/tokens                    account:read
  DELETE /account/tokens/:id                account:write
  GET    /account/export                    account:read
  GET    /analytics/overview                analytics:read
  GET    /analytics/posts/:slug             analytics:read
  POST   /packs/purchase                    packs:write
  GET    /packs/balance                     packs:read
  POST   /upload                            media:write
  POST   /account/delete                    account:write

  GET    /openapi.json                      public
  POST   /posts\\:batch                     posts:write
  POST   /posts/:slug/unpublish             posts:write
  POST   /posts/:slug/preview               posts:write
  GET    /posts/:slug/revisions             posts:read
  GET    /posts/:slug/revisions/:id         posts:read
  POST   /posts/:slug/revisions/:id/restore posts:write
  POST   /markdown                          posts:write
  GET    /rebuilds/:id                      posts:read
  GET    /blogs/:id                         blogs:read
  POST   /blogs/:id/theme/preview           blogs:write
  POST   /blogs/:id/redirects               blogs:write
  GET    /blogs/:id/redirects               blogs:read
  DELETE /blogs/:id/redirects               blogs:write
  DELETE /blogs/:id/redirects/:redirectId   blogs:write
  GET    /media                             media:read
  DELETE /media/:id                         media:write
`;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly opener: Scope | 'public';
}

const operations: readonly Operation[] = [...table.matchAll(/^ *(\S+) +(\S+) +(\S+)$/gm)].map(
  ([, method = '', path = '', name]) => {
    const opener = name === 'public' ? name : scopes.find((scope) => scope === name);
    return { method, path, opener: opener ?? expect.fail(`there is no scope ${name}`) };
  },
);

let platen: TestPlaten;
let author: Author;
/** One key for each scope. */
const keys = new Map<Scope | '*', string>();
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen);
  for (const scope of ['*', ...scopes] as const) {
    const { accountId } = author;
    const request = { accountId, blogId: null, name: 'Test', scopes: [scope], expiresAt: null };
    keys.set(scope, (await platen.services.credentials.issue(request)).secret);
  }
});
afterAll(() => platen.close());

/** An invalid JSON body, so that no call changes anything for the next. */
const call = ({ method, path }: Operation, key: string | null) =>
  platen.call(method, callablePath(path, '0190a000-0000-7000-8000-000000000000'), undefined, {
    key,
    ...(method !== 'GET' && { raw: '{' }),
  });

it('the scope table lists exactly the operations of the API', () => {
  const declared = endpoints(platen.services).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(declared.sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort());
});

it.each(operations.filter(({ opener }) => opener !== 'public'))(
  '$method $path is opened by $opener and by no other scope',
  async (operation) => {
    for (const scope of scopes) {
      if (scope === operation.opener) continue;
      expectRefusal(
        await call(operation, keys.get(scope) ?? ''),
        403,
        new RegExp(`lacks the scope ${operation.opener}`),
      );
    }
    expectRefusal(await call(operation, null), 401, /./);
    // This operation needs no body, and would delete the account.
    if (operation.path === '/account/delete') return;
    for (const scope of ['*', operation.opener] as const) {
      if (scope === 'public') continue;
      const { status, text } = await call(operation, keys.get(scope) ?? '');
      expect([200, 400, 404], text).toContain(status);
    }
  },
);

it.each(operations.filter(({ opener }) => opener === 'public'))(
  '$method $path is open to everybody',
  async (of) => {
    expect([200, 400]).toContain((await call(of, null)).status);
  },
);
