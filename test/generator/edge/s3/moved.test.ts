import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openS3Edge } from '../../../../generator/edge/s3/s3.ts';
import { redirectHtml } from '../../../../generator/render/redirect-html.ts';
import { closeServer, listen } from '../../../../server/http/server.ts';

const seen: IncomingHttpHeaders[] = [];
const server = createServer((req, res) => {
  seen.push(req.headers);
  req.resume().on('end', () => res.writeHead(200).end());
});
let port: number;
beforeEach(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  port = await listen(server, 0);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await closeServer(server);
});

it('the object of a redirect page carries its target as metadata for the server in front of the bucket', async () => {
  const place = {
    bucket: 'bucket',
    endpoint: `http://127.0.0.1:${port}`,
    forcePathStyle: true,
    region: null,
  };
  const edge = openS3Edge({ ...place, hasInvalidation: true });
  const moved = 'This post has moved to <https://blog.example.org/%E6%97%A5/>.\n';
  await edge.write('sites/blog/old.md', Buffer.from(moved));
  await edge.write('sites/blog/new.md', Buffer.from('# New\n'));
  await edge.write('sites/blog/old.php', Buffer.from(redirectHtml('https://blog.example.org/new/')));
  expect(seen.map((headers) => headers['x-amz-meta-location'])).toEqual([
    'https://blog.example.org/%E6%97%A5/',
    undefined,
    'https://blog.example.org/new/',
  ]);
  // Browsers would download a page of another type, if the server in front does not redirect.
  expect(seen.map((headers) => headers['content-type'])).toEqual([
    'text/markdown; charset=utf-8',
    'text/markdown; charset=utf-8',
    'text/html; charset=utf-8',
  ]);
});
