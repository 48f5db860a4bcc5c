import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deployFolder } from '../../clients/cli/deploy/deploy-folder.ts';
import type { DeployOptions } from '../../clients/cli/deploy/plan/prepare.ts';
import { createStateInMemory } from '../../clients/cli/deploy/plan/state.ts';
import type { DeployReport } from '../../clients/cli/deploy/send/run.ts';
import { Platen } from '../../clients/sdk/index.ts';

const folder = fileURLToPath(new URL('../../../scripts/demo', import.meta.url));

/** The post that has the demo's picture as its cover. */
const COVERED_POST = 'what-platen-is';

export interface Demo {
  readonly id: string;
  readonly slug: string;
  readonly url: string;
  readonly report: DeployReport;
}

interface DemoOptions extends Pick<DeployOptions, 'onProgress'> {
  readonly api: string;
  readonly key: string;
}

/** Creates the demo blog through the API at `api` and publishes its posts. Resolves when all are live. */
export async function publishDemo({ api, key, onProgress }: DemoOptions): Promise<Demo> {
  const platen = new Platen({ url: api, apiKey: key });
  const blog = await platen.blogs.create({
    slug: 'demo',
    name: 'The Platen Demo',
    description: 'A blog about the software that publishes it.',
  });
  const ofBlog = platen.withBlog(blog.id);
  // One request at a time, so that the posts appear in the order of their file names.
  const report = await deployFolder({
    folder,
    platen: ofBlog,
    blogId: blog.id,
    state: createStateInMemory(),
    concurrency: 1,
    onProgress,
  });
  await addCover(ofBlog);
  const settings = {
    author: { name: 'The Platen authors' },
    navigation: [{ label: 'About', url: '/about/' }],
  };
  await platen.blogs.update(blog.id, { settings }, { wait: 30 });
  return { id: blog.id, slug: blog.slug, url: blog.url, report };
}

async function addCover(platen: Platen): Promise<void> {
  const bytes = await readFile(join(folder, 'type.webp'));
  const { url } = await platen.images.upload(bytes, { filename: 'type.webp' });
  const cover_image = { url, alt: 'Rows of metal type in a frame' };
  await platen.posts.update(COVERED_POST, { cover_image }, { wait: 30 });
}
