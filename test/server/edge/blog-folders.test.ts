// Slow: starts a whole server.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Author, newAuthor } from '../../support/author.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { exchange } from '../../support/raw-http.ts';

const CANARY = 'never-to-be-served';

let platen: TestPlaten;
let author: Author;
let port: number;
beforeAll(async () => {
  platen = await startTestPlaten();
  port = Number(new URL(platen.origin).port);
  author = await newAuthor(platen);
  await author.post({ slug: 'a-post' }, { Prefer: 'wait=60' });
  const sites = join(platen.dataDir, 'edge', 'sites');
  for (const file of [
    join(platen.dataDir, 'canary.txt'),
    join(platen.dataDir, 'edge', 'canary.txt'),
    join(platen.dataDir, 'edge', '.unfinished', 'canary.txt'),
    join(sites, 'canary.txt'),
    join(sites, `${author.blogSlug}-2`, 'canary.txt'),
    join(sites, author.blogSlug, '.canary.txt'),
    join(sites, author.blogSlug, '.unfinished', 'canary.txt'),
    join(sites, author.blogSlug, '.well-hidden', 'canary.txt'),
  ]) {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, CANARY);
  }
});
afterAll(() => platen.close());

/** One step out of the blog's folder, in every spelling. */
const steps = [
  '..',
  '%2e%2e',
  '.%2e',
  '%2E.',
  '..%2f.',
  '..%5c.',
  '..\\.',
  '%252e%252e',
  '..;',
  '.../..',
  './..',
];

const targets = (step: string) => [
  `/${step}/canary.txt`,
  `/${step}/${step}/canary.txt`,
  `/${step}/${step}/${step}/canary.txt`,
  `/a-post/${step}/${step}/canary.txt`,
  `/${step}%2fcanary.txt`,
  `/${step}\\canary.txt`,
  `//${step}/canary.txt`,
  `/${step}/SLUG-2/canary.txt`,
  `/${step}/${step}/.unfinished/canary.txt`,
  `/${step}/${step}/${step}/platen.db`,
];

const expectNothingOf = (status: number, text: string) => {
  expect([400, 404]).toContain(status);
  expect(text).not.toContain(CANARY);
  expect(text).not.toContain('SQLite format');
};

describe('paths out of a blog’s folder', () => {
  it.each(steps)('no file outside a blog’s folder is served by the step %s', async (step) => {
    for (const target of targets(step)) {
      const path = target.replace('SLUG', author.blogSlug);
      const { status, text } = await platen.read(author.blogSlug, path);
      expectNothingOf(status, text);
    }
  });

  it.each([
    '/%00',
    '/canary.txt%00.html',
    '/a-post/%00/../../canary.txt',
    '/%2f%2e%2e%2fcanary.txt',
    '/etc/passwd',
    '//etc/passwd',
    '/%2fetc%2fpasswd',
    '/c:/canary.txt',
    '/~root/canary.txt',
    '/a-post/index.html/../../../canary.txt',
    '/?/../canary.txt',
    '/#/../canary.txt',
  ])('no file outside a blog’s folder is served by the path %s', async (path) => {
    const { text } = await platen.read(author.blogSlug, path);
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain('root:');
  });

  it.each([
    '/.canary.txt',
    '/%2ecanary.txt',
    '/.unfinished/canary.txt',
    '/.well-hidden/canary.txt',
    '/a-post/../.canary.txt',
    '/.',
    '/.git/config',
  ])('no hidden file in a blog’s folder is served: %s', async (path) => {
    const { status, text } = await platen.read(author.blogSlug, path);
    if (path !== '/.') expect(status).toBe(404);
    expect(text).not.toContain(CANARY);
  });
});

describe('a request target that is not a path', () => {
  const ask = (target: string) =>
    exchange(
      port,
      `GET ${target} HTTP/1.1\r\nHost: ${author.blogSlug}.localhost\r\nConnection: close\r\n\r\n`,
    );

  it.each([
    'http://other.localhost/../canary.txt',
    'http://SLUG.localhost/%2e%2e/canary.txt',
    'https://x/../../../../canary.txt',
    'file:///etc/passwd',
    '*',
    'canary.txt',
    '../canary.txt',
    '?../canary.txt',
  ])('a malformed request target stays within its host: %s', async (target) => {
    const answer = await ask(target.replace('SLUG', author.blogSlug));
    expect(answer).toMatch(/^HTTP\/1\.1 (?:200|400|404|421) /);
    expect(answer).not.toContain(CANARY);
    expect(answer).not.toContain('root:');
  });
});

it.each([
  '//evil.example',
  '//evil.example/',
  '/\\evil.example',
  '/%2f%2fevil.example',
  '//evil.example/%2e%2e',
  '//a-post',
  '/\\a-post',
  '///\\//a-post',
  '/%5ca-post',
  '//evil.example@a-post',
])('no redirect leads to another host: %s', async (path) => {
  const { headers } = await platen.read(author.blogSlug, path);
  const location = headers.get('location');
  if (location === null) return;
  const from = `http://${author.blogSlug}.localhost:${port}`;
  expect(new URL(location, `${from}${path}`).origin).toBe(from);
});

it('the target of a redirect cannot contain a header', async () => {
  for (const path of ['/a-post%0d%0aSet-Cookie:x=1', '/a-post%0aX: y', '/tags%0d%0a%0d%0a<script>']) {
    const { headers, text } = await platen.read(author.blogSlug, path.replaceAll(' ', '%20'));
    expect(headers.has('set-cookie') || headers.has('x')).toBe(false);
    // The 404 page has the theme's own script.
    expect(text.split('<script>').length).toBe(
      (await platen.read(author.blogSlug, '/nowhere')).text.split('<script>').length,
    );
  }
});
