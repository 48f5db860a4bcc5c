import { expect, it } from 'vitest';
import { layoutData } from '../../../generator/layouts/data.ts';
import { samplePages } from '../../../generator/layouts/samples.ts';
import { allPageKeys, buildPages } from '../../../generator/pages/page-kinds.ts';
import { viewsOf } from '../../../generator/render/files.ts';
import { publishedPosts, siteOf } from '../../support/site.ts';

const inSeries = { tags: [{ label: 'Ink', slug: 'ink' }], series: { name: 'Ink', slug: 'ink', part: 1 } };
const site = siteOf({ posts: publishedPosts(32, () => inSeries) });

it('a layout is tried on every kind of page that a blog has', async () => {
  const views = viewsOf(await buildPages(site, await allPageKeys(site)));
  const kinds = views.flatMap((view) => (view.layout === 'redirect' ? [] : [layoutData(view).page.kind]));
  const tried = samplePages.map(({ page }) => page.kind);
  expect([...new Set(tried)].sort(), 'a sample of each kind in generator/layouts/samples.ts').toEqual(
    [...new Set(kinds)].sort(),
  );
});
