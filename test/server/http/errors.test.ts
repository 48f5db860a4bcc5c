import { expect, it } from 'vitest';
import { unknownOperation } from '../../../server/http/errors.ts';
import { methodNotAllowed } from '../../../server/http/method-not-allowed.ts';

const patterns = ['/posts', '/posts/:slug', '/posts\\:batch', '/posts/:slug/publish', '/blogs/:id/redirects'];

function messageFor(path: string): string {
  const handler = unknownOperation(patterns, 'https://platen.example.org');
  try {
    // @ts-expect-error: it reads the path alone.
    handler({ path });
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
}

it.each([
  ['/post', '/v1/posts'],
  ['/post/', '/v1/posts'],
  ['/posts:bach', '/v1/posts:batch'],
  ['/post/hello', '/v1/posts/{slug}'],
  ['/posts/hello/publsh', '/v1/posts/{slug}/publish'],
  ['/blogs/0190a000-0000-7000-8000-000000000000/redirect', '/v1/blogs/{id}/redirects'],
])('the nearest of the known paths is named for %s', (path, near) => {
  expect(messageFor(path)).toBe(
    `there is nothing at /v1${path}: did you mean ${near}? ` +
      'https://platen.example.org/docs/reference/ lists what there is',
  );
});

it.each(['/', '/nothing-like-it', `/${'x'.repeat(5_000)}`, '/posts/a/b/c'])('none is near %s', (path) => {
  expect(messageFor(path)).toMatch(/^there is nothing at \/v1\/[^:]*: https:.*\/docs\/reference\/ lists/);
});

const operations = [
  { method: 'get', path: '/posts' },
  { method: 'post', path: '/posts' },
  { method: 'put', path: '/posts/:slug' },
  { method: 'post', path: '/posts/:slug/publish' },
  { method: 'post', path: '/posts\\:batch' },
];

it.each([
  ['POST', '/posts/:slug', '/posts/batch', 'use PUT, OPTIONS: the batch is POST /v1/posts:batch'],
  ['POST', '/posts/:slug', '/posts/hello', 'use PUT, OPTIONS'],
  ['PUT', '/posts', '/posts', 'use GET, POST, HEAD, OPTIONS: name one, PUT /v1/posts/{slug}'],
  ['PATCH', '/posts', '/posts', 'use GET, POST, HEAD, OPTIONS'],
  ['GET', '/posts/:slug/publish', '/posts/hello/publish', 'use POST, OPTIONS'],
])('%s on %s is not allowed, with what was meant for %s', (method, pattern, path, hint) => {
  const handler = methodNotAllowed(pattern, operations);
  // @ts-expect-error: it reads the method and the path, and sets one header.
  const refuse = () => handler({ method, path }, { set: () => {} });
  expect(refuse).toThrow(`${method} is not allowed here: ${hint}`);
  expect(refuse).toThrow(/(?:OPTIONS|\})$|:batch$/);
});
