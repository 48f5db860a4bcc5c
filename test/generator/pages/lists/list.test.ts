import { describe, expect, it } from 'vitest';
import type { HtmlView } from '../../../../generator/page.ts';
import { lists } from '../../../../generator/pages/lists/list.ts';
import type { BuiltPage } from '../../../../generator/pages/page-kind.ts';
import type { Site } from '../../../../generator/site/site.ts';
import { type PlacedPost, publicationTime, publishedPosts, siteOf } from '../../../support/site.ts';

type ListView = Extract<HtmlView, { layout: 'list' }>;

const rust = { label: 'Rust', slug: 'rust' };
const tagged = (count: number) => publishedPosts(count, () => ({ tags: [rust] }));

const viewOf = (page: BuiltPage | undefined): ListView =>
  page?.body.kind === 'html' && page.body.view.layout === 'list' ? page.body.view : expect.fail('no list');

const showOne = async (site: Site, key: string): Promise<BuiltPage | undefined> =>
  (await lists.build(site, [key]))[0];
const slugsOf = ({ posts }: ListView) => posts.map(({ slug }) => slug);
const newestFirst = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, n) => `post-${from - n}`);

/** Slugs and paths that a reader meets who follows "older" from the first page of a list to the end. */
async function readThrough(site: Site, list: string): Promise<{ slugs: string[]; paths: string[] }> {
  const pages = await lists.build(site, await lists.allKeys(site));
  const slugs: string[] = [];
  const paths: string[] = [];
  let next = pages.find(({ key }) => key === `list:${list}:first`);
  while (next) {
    const view = viewOf(next);
    slugs.push(...slugsOf(view));
    paths.push(next.path);
    if (view.older === null) break;
    const path = `${decodeURIComponent(view.older).slice(1)}index.html`;
    next = pages.find((page) => page.path === path) ?? expect.fail(`nothing at ${view.older}`);
  }
  return { slugs, paths };
}

describe('a first page', () => {
  it.each([
    [1, newestFirst(1, 1), null],
    [10, newestFirst(10, 1), null],
    [11, newestFirst(11, 1), null],
    [19, newestFirst(19, 1), null],
    [20, newestFirst(20, 11), '/page/1/'],
    [23, newestFirst(23, 11), '/page/1/'],
    [30, newestFirst(30, 21), '/page/2/'],
  ])(
    'a first page of %i posts shows the newest ten or more, up to a whole list page, and links to the next',
    async (count, slugs, older) => {
      const page = await showOne(siteOf({ posts: publishedPosts(count) }), 'list::first');
      expect(page).toMatchObject({ path: 'index.html' });
      const view = viewOf(page);
      expect([slugsOf(view), view.older, view.newer, view.pageNumber]).toEqual([slugs, older, null, null]);
    },
  );

  it('a blog without posts has a first page, and a tag without posts has none', async () => {
    const site = siteOf({ posts: [] });
    expect(await lists.allKeys(site)).toEqual(['list::first']);
    expect(viewOf(await showOne(site, 'list::first')).posts).toEqual([]);
    expect(await lists.build(site, ['list:rust:first', 'list:rust:1', 'list::1'])).toEqual([]);
  });
});

describe('following "older" from the first page', () => {
  it.each([1, 9, 10, 11, 19, 20, 21, 35])(
    'following "older" meets each of %i posts once, newest first',
    async (count) => {
      const site = siteOf({ posts: tagged(count) });
      expect((await readThrough(site, '')).slugs).toEqual(newestFirst(count, 1));
      expect((await readThrough(site, 'rust')).slugs).toEqual(newestFirst(count, 1));
    },
  );

  it('following "older" skips list pages that have lost all their posts', async () => {
    const posts = tagged(45).filter(({ pageNumber }) => pageNumber !== 2 && pageNumber !== 5);
    const { slugs, paths } = await readThrough(siteOf({ posts }), '');
    expect(slugs).toEqual([...newestFirst(40, 21), ...newestFirst(10, 1)]);
    expect(paths).toEqual(['index.html', 'page/3/index.html', 'page/1/index.html']);
  });

  it('list pages shortened by deletions are shown together on the first page', async () => {
    const posts = publishedPosts(30).filter((_, index) => index % 5 === 0);
    const { slugs, paths } = await readThrough(siteOf({ posts }), '');
    expect(slugs).toHaveLength(6);
    expect(paths).toEqual(['index.html']);
  });
});

describe('a numbered list page', () => {
  const numbered = async (posts: readonly PlacedPost[], list = '') => {
    const pages = await lists.build(siteOf({ posts }), await lists.allKeys(siteOf({ posts })));
    return new Map(
      pages.flatMap((page) => (page.key.startsWith(`list:${list}:`) ? [[page.path, page.body]] : [])),
    );
  };

  it('a numbered list page other than the newest stays the same when posts are published', async () => {
    const before = await numbered(publishedPosts(25));
    const after = await numbered(publishedPosts(31));
    expect(before.get('page/1/index.html')).toEqual(after.get('page/1/index.html'));
    expect(before.get('page/3/index.html')).not.toEqual(after.get('page/3/index.html'));
  });

  it('a numbered list page keeps its number and its posts when a post on another page is deleted', async () => {
    const posts = publishedPosts(35);
    const left = posts.filter(({ slug }) => slug !== 'post-13');
    const [before, after] = [await numbered(posts), await numbered(left)];
    const shortened = viewOf(await showOne(siteOf({ posts: left }), 'list::2'));
    expect(slugsOf(shortened)).toEqual(newestFirst(20, 11).filter((slug) => slug !== 'post-13'));
    for (const pages of [before, after]) pages.delete('page/2/index.html');
    expect(after).toEqual(before);
    expect([...after.keys()].sort()).toEqual([
      'index.html',
      'page/1/index.html',
      'page/3/index.html',
      'page/4/index.html',
    ]);
  });

  it('a numbered list page links to its neighbours, and the newest one to the first page', async () => {
    const site = siteOf({ posts: tagged(25) });
    const links = async (key: string) => {
      const { newer, older } = viewOf(await showOne(site, key));
      return [newer, older];
    };
    expect(await links('list::1')).toEqual(['/page/2/', null]);
    expect(await links('list::2')).toEqual(['/page/3/', '/page/1/']);
    expect(await links('list::3')).toEqual(['/', '/page/2/']);
    expect(await links('list:rust:3')).toEqual(['/tags/rust/', '/tags/rust/page/2/']);
  });
});

describe('the list of a tag', () => {
  it('each list page of a tag spells it as the newest post on that page', async () => {
    const posts = publishedPosts(12, (n) => ({
      tags: [{ label: n > 10 ? 'RUST' : `rust ${n}`, slug: 'rust' }],
    }));
    const site = siteOf({ posts });
    const labelOn = async (key: string) => viewOf(await showOne(site, key)).tag;
    expect(await labelOn('list:rust:first')).toEqual({ label: 'RUST', slug: 'rust' });
    expect(await labelOn('list:rust:2')).toEqual({ label: 'RUST', slug: 'rust' });
    expect(await labelOn('list:rust:1')).toEqual({ label: 'rust 10', slug: 'rust' });
    expect(await labelOn('list::first')).toBeNull();
  });

  it('the list of a tag has a path in the tag’s own script, and links to it are encoded', async () => {
    const posts = publishedPosts(25, () => ({ tags: [{ label: '日本', slug: '日本' }] }));
    const page = await showOne(siteOf({ posts }), 'list:日本:first');
    expect(page?.path).toBe('tags/日本/index.html');
    expect(viewOf(page).older).toBe(`/tags/${encodeURIComponent('日本')}/page/1/`);
    expect((await showOne(siteOf({ posts }), 'list:日本:1'))?.path).toBe('tags/日本/page/1/index.html');
  });

  it('the list pages of a tag are numbered by its own posts', async () => {
    const posts = publishedPosts(40, (n) => ({ tags: n % 2 === 0 ? [rust] : [] }));
    const second = viewOf(await showOne(siteOf({ posts }), 'list:rust:2'));
    expect(slugsOf(second)).toEqual(newestFirst(40, 21).filter((_, index) => index % 2 === 0));
  });
});

describe('list pages affected by a change', () => {
  const site = siteOf({ posts: tagged(35) });
  /** A place on the same list page of the blog and of the tag. */
  const place = (pageNumber: number) => ({
    postId: 'x',
    slug: 'x',
    publishedAt: publicationTime(10 * pageNumber - 5),
    pageNumber,
    lists: [{ list: 'rust', pageNumber }],
    redirects: [],
    homeList: null,
    relatedBy: [],
    series: null,
  });
  const reached = async (at: ReturnType<typeof place>, changed?: ReadonlySet<string>) =>
    new Set(await lists.affectedKeys(site, at, changed));

  it('a change affects the first pages, and the neighbours of a list page that may have appeared or vanished', async () => {
    const own = ['list::first', 'list::1', 'list::2', 'list::3'];
    const ofTag = ['list:rust:first', 'list:rust:1', 'list:rust:2', 'list:rust:3'];
    expect(await reached(place(2))).toEqual(new Set([...own, ...ofTag]));
    const all = new Set([...(await site.allPostIds()), 'x']);
    expect(await reached(place(2), all)).toEqual(new Set([...own, ...ofTag]));
    expect(await reached(place(9), new Set(['x']))).toEqual(
      new Set(['list::first', 'list::4', 'list::9', 'list:rust:first', 'list:rust:4', 'list:rust:9']),
    );
  });

  it('a change affects only its own list pages if other posts are left on them', async () => {
    expect(await reached(place(2), new Set(['x']))).toEqual(new Set(['list::2', 'list:rust:2']));
  });

  it('a removal affects the first pages if the post was the oldest on the last list page that they show', async () => {
    // Of 35 posts, the tenth newest is on the third page, which is shown whole.
    const oldest = { ...place(3), publishedAt: publicationTime(20) };
    expect(await reached(oldest, new Set(['x']))).toContain('list::first');
    const nextOlder = { ...place(2), publishedAt: publicationTime(19) };
    expect(await reached(nextOlder, new Set(['x']))).not.toContain('list::first');
  });

  it('a change also affects the first pages if they show these list pages', async () => {
    const shown = ['list::4', 'list::first', 'list:rust:4', 'list:rust:first'];
    expect(await reached(place(4), new Set(['x']))).toEqual(new Set(shown));
  });
});
