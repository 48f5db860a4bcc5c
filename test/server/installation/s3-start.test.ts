// Slow: starts server processes and the S3 server of the tests.
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { photo } from '../../support/pictures.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { type S3Server, useS3Server } from '../../support/s3-server.ts';

let s3: S3Server;
let platen: TestPlaten | undefined;

beforeAll(async () => {
  s3 = await useS3Server();
}, 300_000);

afterAll(() => s3.release());

afterEach(async () => {
  await platen?.close();
  platen = undefined;
});

describe('a Platen that publishes to a bucket', () => {
  it('posts and images are in the bucket, and the server redirects requests for images there', async () => {
    const bucket = await s3.newBucket();
    platen = await startTestPlaten(s3.env(bucket));
    const data = (await (await photo(40, 30)).jpeg().toBuffer()).toString('base64');
    const upload = { data, content_type: 'image/jpeg', filename: 'a.jpg' };
    const { url } = (await platen.call('POST', '/upload', upload)).json;
    const post = { title: 'Hello', content: `![A](${url})`, status: 'published' };
    const { status } = await platen.call('POST', '/posts', post, { headers: { Prefer: 'wait=60' } });
    expect(status).toBe(201);
    const blog = await s3.readBlog(bucket, 'starter');
    expect(blog.get('hello/index.html')).toContain(url);
    expect(blog.get('index.html')).toContain('/hello/');
    expect(url).toContain(`${s3.endpoint}/${bucket}/media/`);
    const path = new URL(url).pathname.replace(`/${bucket}/`, '');
    expect([...(await s3.read(bucket, 'media/')).keys()]).toContain(path);

    const answer = await platen.read('starter', '/hello/');
    expect([answer.status, answer.text]).toEqual([421, expect.stringContaining('published to a bucket')]);
    const here = await fetch(`${platen.origin}/${path}`, { redirect: 'manual' });
    expect([here.status, here.headers.get('location')]).toEqual([301, url]);
  });

  it('a server starts again on its own bucket, and not on that of another installation', async () => {
    const bucket = await s3.newBucket();
    platen = await startTestPlaten(s3.env(bucket));
    await expect(startTestPlaten(s3.env(bucket))).rejects.toThrow(/another installation publishes there/);
    expect((await platen.call('GET', '/blogs')).status).toBe(200);
  });

  it('a server does not start without its bucket, and releases its data folder', async () => {
    const env = s3.env('no-such-bucket');
    await expect(startTestPlaten(env)).rejects.toThrow(/no-such-bucket: .*set S3_BUCKET/);
  });

  it('a server does not start if the endpoint is not S3', async () => {
    const server = createServer((_req, res) => void res.writeHead(404).end('<html>not found</html>')).listen(
      0,
    );
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const env = { ...s3.env('a-bucket'), S3_ENDPOINT: `http://127.0.0.1:${port}` };
    await expect(startTestPlaten(env)).rejects.toThrow(
      /^bucket a-bucket: listing it: the server does not speak S3: check S3_ENDPOINT/,
    );
    server.close();
  });
});
