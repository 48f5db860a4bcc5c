import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type PublishOptions, type PublishSummary, publishFolder } from './publish.ts';

const folder = fileURLToPath(new URL('../../../scripts/demo', import.meta.url));

const createdBlog = z.object({ id: z.string(), slug: z.string(), url: z.string() });
const uploadedImage = z.object({ url: z.string() });

/** The post that has the demo's picture as its cover. */
const COVERED_POST = 'what-platen-is';

export type Demo = z.infer<typeof createdBlog> & { readonly summary: PublishSummary };

type Access = Pick<PublishOptions, 'api' | 'key'>;

/** Creates the demo blog through the API at `api` and publishes its posts. Resolves when all are live. */
export async function publishDemo(options: Access & Pick<PublishOptions, 'onProgress'>): Promise<Demo> {
  const blog = createdBlog.parse(
    await send(options, 'POST', '/blogs', {
      slug: 'demo',
      name: 'The Platen Demo',
      description: 'A blog about the software that publishes it.',
    }),
  );
  // One request at a time, so that the posts appear in the order of their file names.
  const summary = await publishFolder({ ...options, folder, blogId: blog.id, concurrency: 1 });
  await addCover(options, blog.id);
  await send(options, 'PUT', `/blogs/${blog.id}`, {
    settings: { author: { name: 'The Platen authors' }, navigation: [{ label: 'About', url: '/about/' }] },
  });
  return { ...blog, summary };
}

async function addCover(access: Access, blogId: string): Promise<void> {
  const data = (await readFile(join(folder, 'type.webp'))).toString('base64');
  const image = { data, filename: 'type.webp', content_type: 'image/webp' };
  const { url } = uploadedImage.parse(await send(access, 'POST', '/upload', image, blogId));
  const cover_image = { url, alt: 'Rows of metal type in a frame' };
  await send(access, 'PUT', `/posts/${COVERED_POST}`, { cover_image }, blogId);
}

/** Sends a request, waits until its change is live, and resolves to the answer. Throws if it is refused. */
async function send(
  { api, key }: Access,
  method: string,
  path: string,
  body: object,
  blogId?: string,
): Promise<unknown> {
  const response = await fetch(`${api}/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Prefer: 'handling=strict, wait=30',
      ...(blogId === undefined ? {} : { 'X-Blog-Id': blogId }),
    },
    body: JSON.stringify(body),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`the demo blog was not created: ${method} ${path}: ${answer}`);
  return JSON.parse(answer);
}
