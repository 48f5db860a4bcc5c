// Slow: lists more objects of a real S3 server than one response holds.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReadableEdge, readIfExists } from '../../../generator/edge/edge.ts';
import { openFilesystemEdge } from '../../../generator/edge/filesystem.ts';
import { prepareBucket } from '../../../generator/edge/s3/bucket.ts';
import { openS3Edge } from '../../../generator/edge/s3/s3.ts';
import { type S3Server, useS3Server } from '../../support/s3-server.ts';

let s3: S3Server;
const folder = mkdtempSync(join(tmpdir(), 'platen-list-'));
beforeAll(async () => {
  s3 = await useS3Server();
}, 300_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
  s3.release();
});

async function openBucketEdge(): Promise<ReadableEdge> {
  const place = { endpoint: s3.endpoint, forcePathStyle: true, region: null };
  const bucket = await s3.newBucket();
  await prepareBucket({ ...place, bucket }, { installation: 'ours', mustBePrivate: false });
  return openS3Edge({ ...place, bucket, hasInvalidation: false });
}

describe.each(['a folder', 'a bucket'])('the files of %s', (kind) => {
  let edge: ReadableEdge;
  beforeAll(async () => {
    edge = kind === 'a folder' ? await openFilesystemEdge(folder) : await openBucketEdge();
  });

  const list = (below: string) => collect(edge.list(below));

  it('an edge lists its files with sizes, in byte order of their paths', async () => {
    const paths = [
      'sites/a/b',
      'sites/a-b/index.html',
      'sites/a/😀',
      'sites/a/\uffee',
      'hosts/x',
      'sites/a.b',
    ];
    await Promise.all(paths.map((path) => edge.write(path, Buffer.from(path))));
    const listed = await list('');
    const bytes = paths.map((path) => Buffer.from(path)).sort(Buffer.compare);
    expect(listed.map(({ path }) => path)).toEqual(bytes.map(String));
    expect(listed.map(({ size }) => size)).toEqual(bytes.map(({ length }) => length));
    for (const { path, md5 } of listed) {
      if (md5 !== null) expect(md5).toBe(createHash('md5').update(path).digest('hex'));
    }
    expect((await list('sites/a/')).map(({ path }) => path)).toEqual([
      'sites/a/b',
      'sites/a/\uffee',
      'sites/a/😀',
    ]);
    expect(await list('nothing/')).toEqual([]);
  });

  it('an edge lists more files than one S3 response holds', async () => {
    const paths = Array.from({ length: 1_030 }, (_, n) => `many/${String(n).padStart(4, '0')}`);
    for (let from = 0; from < paths.length; from += 64) {
      await Promise.all(paths.slice(from, from + 64).map((path) => edge.write(path, Buffer.from('x'))));
    }
    expect((await list('many/')).map(({ path }) => path)).toEqual(paths);
  });

  it('an edge distinguishes its files from missing ones', async () => {
    await edge.write('there/index.html', Buffer.from('x'));
    expect(await readIfExists(edge, 'there/index.html')).not.toBeNull();
    for (const path of ['there/none', 'there/index.html/none', 'there'])
      expect([path, await readIfExists(edge, path)]).toEqual([path, null]);
  });
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
