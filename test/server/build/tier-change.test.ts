import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Blog } from '../../../server/blogs/blog.ts';
import { openBuilder } from '../../../server/builder/open-builder.ts';
import type { Config } from '../../../server/config/config.ts';
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

/** Front page on the edge after a builder has started with these tiers. */
async function frontPage(tiers: Config['tiers']): Promise<string> {
  const builder = await openBuilder(
    { ...workshop.config, tiers },
    { indexMaker: plainBases(workshop.config), cards: plainCards },
  );
  await builder.drain();
  await builder.close();
  return readEdge(workshop.edgeDir, blog.slug).get('index.html') ?? expect.fail('no front page');
}

it('blogs are rebuilt if the operator changes whether search engines may index a tier', async () => {
  const closed = { ...defaultTiers, enterprise: { ...defaultTiers.enterprise, indexable: false } };
  expect(await frontPage(defaultTiers)).not.toContain('noindex');
  expect(await frontPage(closed)).toContain('noindex');
  expect(await frontPage(defaultTiers)).not.toContain('noindex');
});
