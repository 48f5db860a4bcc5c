// Slow: starts the S3 server of the tests, and writes and removes 1,500 objects.
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReadableEdge } from '../../../../generator/edge/edge.ts';
import { openS3Edge } from '../../../../generator/edge/s3/s3.ts';
import { type S3Server, useS3Server } from '../../../support/s3-server.ts';

let s3: S3Server;
let bucket: string;
let edge: ReadableEdge;

beforeAll(async () => {
  s3 = await useS3Server();
}, 300_000);

afterAll(() => s3.release());

beforeEach(async () => {
  bucket = await s3.newBucket();
  edge = open(false);
});

const open = (invalidated: boolean) =>
  openS3Edge({
    bucket,
    endpoint: s3.endpoint,
    forcePathStyle: true,
    region: null,
    hasInvalidation: invalidated,
  });

const write = (path: string, text = path) => edge.write(path, Buffer.from(text));

describe('an edge in a bucket', () => {
  it('an S3 edge stores files under their paths in every script, and returns them', async () => {
    const paths = [
      'sites/a/index.html',
      'sites/a/tags/日本/index.html',
      "sites/a/tags/c++ & 'd'/feed.xml",
      'sites/a/😀?#%2f/ä.md',
      'hosts/blog.example.org',
    ];
    for (const path of paths) await write(path);
    const expected = new Map(paths.map((path) => [path, path]));
    expect(await s3.read(bucket)).toEqual(expected);
    for (const path of paths) expect(Buffer.from(await edge.read(path)).toString()).toBe(path);
    await edge.remove(paths.slice(1));
    expect([...(await s3.read(bucket)).keys()]).toEqual(['sites/a/index.html']);
  });

  it('an S3 edge replaces a file', async () => {
    await write('sites/a/index.html', 'old');
    await write('sites/a/index.html', 'new');
    expect(await s3.read(bucket)).toEqual(new Map([['sites/a/index.html', 'new']]));
  });

  it('an S3 edge stores an empty file', async () => {
    await write('sites/a/robots.txt', '');
    expect(await s3.read(bucket)).toEqual(new Map([['sites/a/robots.txt', '']]));
  });

  it('an S3 edge stores any bytes unchanged', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7) % 256));
    await edge.write('media/a/b.png', bytes);
    expect(Buffer.from(await edge.read('media/a/b.png')).equals(bytes)).toBe(true);
  });

  it('an S3 edge rejects the read of a missing file, and removes a missing file without an error', async () => {
    await expect(edge.read('media/a.png')).rejects.toThrow(
      `bucket ${bucket}: reading media/a.png: there is no such file (NoSuchKey)`,
    );
    await edge.remove(['media/a.png']);
    await edge.remove([]);
  });

  it('an S3 edge removes 1,500 files and no other', async () => {
    const paths = Array.from({ length: 1_500 }, (_, n) => `sites/a/${n}/index.html`);
    const writing = [...paths, 'sites/b/index.html'].values();
    const writer = async () => {
      for (const path of writing) await write(path, '');
    };
    await Promise.all(Array.from({ length: edge.concurrency }, writer));
    expect((await s3.read(bucket)).size).toBe(1_501);
    await edge.remove(paths);
    expect([...(await s3.read(bucket)).keys()]).toEqual(['sites/b/index.html']);
  });

  const headersOf = async (path: string) => {
    await write(path);
    const { ContentType, CacheControl } = await s3.client.send(
      new HeadObjectCommand({ Bucket: bucket, Key: path }),
    );
    return [ContentType, CacheControl];
  };

  const FOR_EVER = 'public, max-age=31536000, immutable';
  const MUST_ASK = 'public, max-age=0, must-revalidate';

  it.each([
    ['sites/a/index.html', 'text/html; charset=utf-8', MUST_ASK],
    ['sites/a/post/index.html', 'text/html; charset=utf-8', MUST_ASK],
    ['sites/a/post.md', 'text/markdown; charset=utf-8', MUST_ASK],
    ['sites/a/feed.xml', 'application/xml; charset=utf-8', MUST_ASK],
    ['sites/a/sitemap.xml', 'application/xml; charset=utf-8', MUST_ASK],
    ['sites/a/search/recent.json', 'application/json', MUST_ASK],
    ['sites/a/_headers', 'application/octet-stream', MUST_ASK],
    ['hosts/a.example.org', 'application/octet-stream', MUST_ASK],
    ['sites/a/og/0a1b2c.png', 'image/png', FOR_EVER],
    ['sites/a/og/index.html', 'text/html; charset=utf-8', MUST_ASK],
    ['sites/a/pagefind/pagefind.js', 'text/javascript; charset=utf-8', MUST_ASK],
    ['sites/a/pagefind/pagefind-entry.json', 'application/json', MUST_ASK],
    ['sites/a/pagefind/pagefind.en_6f0c1.pf_meta', 'application/octet-stream', MUST_ASK],
    ['sites/a/pagefind/fragment/en_6f0c1.pf_fragment', 'application/octet-stream', MUST_ASK],
    ['sites/a/pagefind/index/en_6f0c1.pf_index', 'application/octet-stream', MUST_ASK],
    ['media/b/c.jpg', 'image/jpeg', FOR_EVER],
    ['sites/a/media/index.html', 'text/html; charset=utf-8', MUST_ASK],
  ])('an S3 edge sends %s with its content type and Cache-Control', async (path, type, cacheControl) => {
    expect(await headersOf(path)).toEqual([type, cacheControl]);
  });

  it('an S3 edge lets caches that it invalidates keep changing files, and makes browsers revalidate them', async () => {
    edge = open(true);
    const whileValid = 'public, max-age=0, s-maxage=86400';
    expect((await headersOf('sites/a/index.html'))[1]).toBe(whileValid);
    expect((await headersOf('sites/a/feed.xml'))[1]).toBe(whileValid);
    expect((await headersOf('sites/a/og/0a1b2c.png'))[1]).toBe(FOR_EVER);
  });
});
