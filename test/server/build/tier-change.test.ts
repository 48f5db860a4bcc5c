import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Blog } from '../../../server/blogs/blog.ts';
import { openBuilder } from '../../../server/builder/open-builder.ts';
import type { Config } from '../../../server/config/config.ts';
import { insertImage } from '../../../server/media/store.ts';
import { defaultTiers } from '../../../server/tiers/tier.ts';
import { plainBases } from '../../support/plain-search-indexes.ts';
import { openWorkshop, plainCards, readEdge, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
let blog: Blog;
beforeAll(async () => {
  workshop = await openWorkshop();
  blog = await workshop.newBlog('tiers');
});
afterAll(() => workshop.close());

/** The blog's files on the edge after a builder has started with these tiers. */
async function filesWith(tiers: Config['tiers']): Promise<ReadonlyMap<string, string>> {
  const builder = await openBuilder(
    { ...workshop.config, tiers },
    { indexMaker: plainBases(workshop.config), cards: plainCards },
  );
  await builder.drain();
  await builder.close();
  return readEdge(workshop.edgeDir, blog.slug);
}

it('blogs are rebuilt if the operator changes whether search engines may index a tier', async () => {
  await workshop.services.posts.create(await workshop.newCaller('owner@example.org'), blog, {
    title: 'A',
    content: '[e](https://e.example/)',
    tags: [],
    status: 'published',
    meta: { description: null, ogImage: null },
  });
  const closed = { ...defaultTiers, enterprise: { ...defaultTiers.enterprise, indexable: false } };
  for (const [tiers, isIndexed] of [
    [defaultTiers, true],
    [closed, false],
    [defaultTiers, true],
  ] as const) {
    const files = await filesWith(tiers);
    expect(files.get('index.html')?.includes('noindex')).toBe(!isIndexed);
    const rel = isIndexed ? 'noopener' : 'nofollow ugc noopener';
    for (const file of ['a/index.html', 'feed.xml'])
      expect(files.get(file)).toContain(`<a href="https://e.example/" rel="${rel}">`);
  }
});

it('icons that could not be made are tried again at a start that rebuilds their blog, and at no other', async () => {
  const { db } = workshop.services;
  const image = { id: 'icon', blogId: blog.id, path: `media/${blog.id}/icon.png`, filename: null };
  await insertImage(db, { ...image, bytes: 9, width: 9, height: 9, createdAt: workshop.clock.now() });
  const isDueAfter = async (tiers: typeof defaultTiers) => {
    await db.updateTable('images').set({ is_icon: 1, variants_due_at: null }).execute();
    await filesWith(tiers);
    const row = await db.selectFrom('images').select('variants_due_at').executeTakeFirstOrThrow();
    return row.variants_due_at !== null;
  };
  const closed = { ...defaultTiers, enterprise: { ...defaultTiers.enterprise, indexable: false } };
  await isDueAfter(defaultTiers);
  expect([await isDueAfter(defaultTiers), await isDueAfter(closed)]).toEqual([false, true]);
});
