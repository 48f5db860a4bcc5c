import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type PublishOptions, type PublishSummary, publishFolder } from './publish.ts';

const folder = fileURLToPath(new URL('../../../scripts/demo', import.meta.url));

const createdBlog = z.object({ id: z.string(), slug: z.string(), url: z.string() });

export type Demo = z.infer<typeof createdBlog> & { readonly summary: PublishSummary };

/** Creates the demo blog through the API at `api` and publishes its posts. Resolves when all are live. */
export async function publishDemo(
  options: Pick<PublishOptions, 'api' | 'key' | 'onProgress'>,
): Promise<Demo> {
  const blog = await createBlog(options);
  // One request at a time, so that the posts appear in the order of their file names.
  return { ...blog, summary: await publishFolder({ ...options, folder, blogId: blog.id, concurrency: 1 }) };
}

async function createBlog({ api, key }: { api: string; key: string }): Promise<z.infer<typeof createdBlog>> {
  const response = await fetch(`${api}/v1/blogs`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Prefer: 'handling=strict',
    },
    body: JSON.stringify({
      slug: 'demo',
      name: 'The Platen Demo',
      description: 'A blog about the software that publishes it.',
    }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`the demo blog was not created: ${answer}`);
  return createdBlog.parse(JSON.parse(answer));
}
