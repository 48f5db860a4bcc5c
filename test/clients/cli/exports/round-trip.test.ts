import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { deploy } from '../../../../clients/cli/commands/deploy.ts';
import { exportBlog } from '../../../../clients/cli/commands/export.ts';
import { Platen } from '../../../../clients/sdk/index.ts';
import { picture } from '../../../support/pictures.ts';
import { startTestPlaten, type TestPlaten } from '../../../support/platen.ts';
import { freePort } from '../../../support/port.ts';
import { folderOf } from '../folder/folder-of.ts';

const SLUG = 'notes';

/** A blog with one of everything, in the order of its dates. Resolves to its client. */
async function fill(platen: TestPlaten): Promise<Platen> {
  const account = new Platen({ url: platen.origin, apiKey: platen.key });
  const { id } = await account.blogs.create({ slug: SLUG, name: 'Notes: on "type"' });
  const blog = account.withBlog(id);
  const { url: pot } = await blog.images.upload(await picture(64, 48).png().toBuffer(), {
    filename: 'pot.png',
  });
  const { url: other } = await blog.images.upload(await picture(40, 60).png().toBuffer(), {
    filename: 'pot.png',
  });
  const day = (n: number) => `2020-01-${String(n).padStart(2, '0')}T10:00:00.000Z`;
  for (let n = 1; n <= 13; n += 1) {
    await blog.posts.create({
      ...{ title: `Post ${n}`, slug: `post-${n}`, status: 'published', published_at: day(n) },
      ...{
        tags: n % 2 === 0 ? ['even', 'number'] : ['number'],
        content: `Text ${n}. See [first](/post-1/?a=1#b).`,
      },
    });
  }
  const content = [
    ...['# A heading of its own', ':::note\nNo container\n:::', '{{< youtube aqz-KE-bpKQ >}} {% raw %}', ''],
    ...[`![Pot](${pot})`, `\`![Pot](${pot})\``, `[large](${other})`, '[old](/old-name/)', '  end  \n\n'],
  ].join('\n\n');
  await blog.posts.create({
    ...{ title: 'Null: 1.10 # "all"', slug: 'old-name', content, status: 'published', published_at: day(20) },
    ...{ tags: ['null', 'True', '1.0'], featured: true, series: { name: 'Series', part: 2 } },
    ...{ meta: { description: 'Said: yes', og_image: other }, cover_image: { url: pot, alt: 'A "pot"' } },
    ...{
      canonical_url: 'https://elsewhere.example/x',
      author: { name: 'Ada', url: 'https://ada.example/', image: pot },
    },
  });
  await blog.posts.update('old-name', { slug: 'everything' });
  await blog.posts.create({
    title: 'Hallo',
    slug: 'hallo',
    content: 'Welt',
    language: 'de',
    status: 'published',
    published_at: day(21),
    translations: { en: 'post-1' },
  });
  await blog.posts.create({
    title: 'About',
    slug: 'about',
    content: 'Us',
    type: 'page',
    status: 'published',
    published_at: day(22),
  });
  await blog.posts.create({
    title: 'Hidden',
    slug: 'hidden',
    content: 'Us',
    unlisted: true,
    status: 'published',
    published_at: day(23),
  });
  await blog.posts.create({ title: 'Draft', slug: 'draft', content: 'Not yet', status: 'draft' });
  await blog.posts.create({
    title: 'Later',
    slug: 'later',
    content: 'Later',
    status: 'scheduled',
    scheduled_at: '2990-01-01T00:00:00.000Z',
  });
  await blog.redirects.set({
    redirects: [
      { from: '/2019/a.html', to: '/post-1/' },
      { from: '/feed/', to: 'https://elsewhere.example/feed' },
    ],
  });
  const updated = await account.blogs.update(id, {
    description: 'On type,\nand more',
    settings: {
      ...{ language: 'en', accent_color: '#0a7ea4', icon: pot, author: { name: 'Ada', image: other } },
      ...{
        navigation: [{ label: 'About', url: '/about/' }],
        social_links: [{ label: 'M', url: 'https://m.example/@a' }],
      },
    },
    theme_config: { customCss: 'h1 { color: red }\n\n  p { margin: 0 } \n', footerHtml: '<p>Foot: "1"</p>' },
  });
  await account.waitUntilLive(updated);
  return blog;
}

/**
 * Files of a blog on the edge, without what is named by ids (posts, images, cards) and the time of the last change. Left
 * out are cards, what search has of the last changes, and the pages of former slugs, which become redirects.
 */
function edgeOf({ dataDir }: TestPlaten): Record<string, string> {
  const root = join(dataDir, 'edge', 'sites', SLUG);
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(root.length));
  return Object.fromEntries(
    paths
      .filter((path) => !/^\/(?:og\/|search\/recent\.json|old-name)/.test(path))
      .map((path) => [path, withoutIds(readFileSync(join(root, path), 'latin1'))]),
  );
}

const withoutIds = (text: string): string =>
  text
    .replace(/[\da-f]{8}-[\da-f]{4}-[57][\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, 'ID')
    .replace(/\/og\/[\da-f]{32}\.png/g, '/og/ID.png')
    .replace(/<(updated|lastBuildDate)>(?![^<]*2020)[^<]*</g, '<$1><');

/** Files that differ, or that are on one edge only. */
const differences = (one: Record<string, string>, other: Record<string, string>): string[] =>
  Object.keys({ ...one, ...other }).filter((file) => one[file] !== other[file]);

it('a blog that is exported and deployed elsewhere is the same there but for ids', async () => {
  const PORT = String(await freePort());
  const from = await startTestPlaten({ PORT });
  const blog = await fill(from);
  // The icon is made in the background.
  await expect.poll(() => edgeOf(from)['/index.html']).toContain('-96.png');
  const before = edgeOf(from);
  const cwd = await folderOf({});
  let text = '';
  const print = (more: string) => {
    text += more;
  };
  expect(await exportBlog({ platen: blog, cwd, print }, 'out', { blog: SLUG })).toBe(0);
  expect(text).toContain('19 posts, 2 images');
  await expect(exportBlog({ platen: blog, cwd, print }, 'out')).rejects.toThrow('is not empty');
  await expect(exportBlog({ platen: blog, cwd, print }, 'other', { blog: 'nowhere' })).rejects.toThrow(
    'this key reaches no blog nowhere',
  );
  await from.close();

  const to = await startTestPlaten({ PORT });
  onTestFinished(() => to.close());
  const account = new Platen({ url: to.origin, apiKey: to.key });
  const { id } = await account.blogs.create({ slug: SLUG, name: 'Anything' });
  const context = { platen: account, cwd, print, tell: print, colours: false };
  expect(await deploy(context, 'out', { blog: id, concurrency: 1 })).toBe(0);
  expect(text).toContain(
    '19 created, 0 updated, 0 deleted, 0 unchanged, 0 failed; 2 images, 3 redirects, settings',
  );
  await expect.poll(() => differences(before, edgeOf(to)), { timeout: 20_000 }).toEqual([]);
  expect(await to.read(SLUG, '/old-name/')).toMatchObject({ status: 301 });
});
