import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { edgeOf } from '../../../generator/edge/edge-kinds.ts';
import { openFilesystemEdge } from '../../../generator/edge/filesystem.ts';
import { createRenderer } from '../../../generator/render/renderer.ts';
import { siteSettingsOf } from '../../../server/site/site-settings.ts';
import { createSnapshots } from '../../../server/site/snapshots.ts';
import { type CopiedBlog, copyBlog } from '../../../server/upkeep/copy-blog.ts';
import { deadEnds, openWorkshop, readEdge, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;

beforeEach(async () => {
  workshop = await openWorkshop();
});
afterEach(() => workshop.close());

it('a copy accounts for the files it wrote itself, even if no rebuild has written them yet', async () => {
  const { config, services, caller } = workshop;
  const blog = await workshop.newBlog('ink');
  const snapshots = createSnapshots(config.databaseFile);
  const target = join(config.dataDir, 'copy');
  const dead = new Set<string>();
  const to = await openFilesystemEdge(target);
  const tools = {
    snapshots,
    renderer: createRenderer(),
    ...siteSettingsOf(config),
    from: await edgeOf(config.edge).open(),
    to: {
      ...to,
      async write(path: string, bytes: Uint8Array) {
        await to.write(path, bytes);
        for (const link of deadEnds(readEdge(target, 'ink'))) dead.add(link);
      },
    },
    onLostImage: () => {},
  };
  let before: CopiedBlog | null = null;
  // No builder runs here: the blog's own edge stays empty, and its manifest too.
  for (let n = 0; n < 6; n += 1) {
    for (const half of ['a', 'b']) {
      await services.posts.create(caller, blog, {
        title: `Post ${n} ${half}`,
        content: 'Text.',
        tags: [`tag-${n}-${half}`],
        status: 'published',
        meta: { description: null, ogImage: null },
      });
    }
    before = await copyBlog(
      { ...tools, previous: before },
      { id: blog.id, slug: 'ink', folder: 'ink', isDeleted: false },
    );
  }
  await snapshots.close();
  expect([...dead]).toEqual([]);
  expect(readEdge(target, 'ink').has('post-5-b/index.html')).toBe(true);
});
