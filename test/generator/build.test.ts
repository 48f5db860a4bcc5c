import { describe, expect, it } from 'vitest';
import {
  BATCH_BYTES,
  BATCH_PAGES,
  type Build,
  type BuildOutcome,
  buildAffected,
  buildEverything,
} from '../../generator/build.ts';
import type { Edge } from '../../generator/edge/edge.ts';
import type { OutputFile, Page } from '../../generator/page.ts';
import { createRenderer } from '../../generator/render/renderer.ts';
import { PAGES } from '../../generator/site/list.ts';
import type { Placement } from '../../generator/site/placement.ts';
import { memoryManifest } from '../support/manifest.ts';
import { placementOf, publishedPosts, type SiteParts, siteOf } from '../support/site.ts';
import { blog } from './render/views.ts';

const renderer = createRenderer();
const rust = { label: 'Rust', slug: 'rust' };

/** An edge of one blog in memory, with a build that writes to it. `breakAt` makes the edge fail on some paths. */
function openBuild() {
  const files = new Map<string, string>();
  const operations: string[] = [];
  const rendered: number[] = [];
  /** Number of operations done at each yield of the build. */
  const gaveWay: number[] = [];
  const manifest = memoryManifest();
  let broken: (path: string) => boolean = () => false;
  let look = () => {};
  const operate = async (operation: string, path: string, work: (own: string) => void) => {
    const own = path.replace(/^sites\/ink\//, '');
    if (broken(own)) throw new Error(`the edge is broken at ${own}`);
    operations.push(`${operation} ${own}`);
    work(own);
    look();
  };
  const edge: Edge = {
    concurrency: 16,
    write: (path, bytes) => operate('write', path, (own) => files.set(own, Buffer.from(bytes).toString())),
    async remove(paths) {
      for (const path of paths) await operate('remove', path, (own) => files.delete(own));
    },
    async invalidate(paths) {
      for (const path of paths) await operate('invalidate', path, () => {});
      return paths.length;
    },
  };
  const render = (pages: readonly Page[]): Promise<readonly OutputFile[]> => {
    rendered.push(pages.length);
    return renderer.render(pages);
  };
  const buildOf = (parts: SiteParts, repeated = false): Build => ({
    site: siteOf(parts),
    manifest,
    edge,
    renderer: { render, renderInThread: render, threads: 2 },
    isRetry: repeated,
    async giveWay() {
      gaveWay.push(operations.length);
    },
  });
  const settled = async (work: Promise<BuildOutcome>): Promise<BuildOutcome> => {
    const outcome = await work;
    manifest.forget(outcome.removed);
    return outcome;
  };
  return {
    files,
    operations,
    rendered,
    gaveWay,
    manifest,
    everything: (parts: SiteParts) => settled(buildEverything(buildOf(parts))),
    /** As in the test support: a search index of one file that holds all posts. */
    everythingAgain: (parts: SiteParts) => settled(buildEverything(buildOf(parts, true))),
    places: (parts: SiteParts, places: readonly Placement[]) =>
      settled(buildAffected(buildOf(parts), places)),
    breakAt(paths: (path: string) => boolean) {
      broken = paths;
    },
    /** Calls the reader after every edge operation. */
    watch(reader: () => void) {
      look = reader;
    },
  };
}

const placeOf = (parts: SiteParts, slug: string): Placement => {
  const post = parts.posts.find((candidate) => candidate.slug === slug) ?? expect.fail(`no post ${slug}`);
  return placementOf(post, parts);
};

const blogOf = (count: number): SiteParts => ({ posts: publishedPosts(count, () => ({ tags: [rust] })) });

describe('a full build of a blog', () => {
  it('a full build writes posts, lists, feeds and the front page in that order across batches, and removes files last', async () => {
    const build = openBuild();
    await build.manifest.record(
      await renderer.render([
        { key: 'post:gone', path: 'gone/index.html', stage: 'posts', body: { kind: 'text', text: '' } },
      ]),
    );
    await build.everything(blogOf(150));
    const rank = (operation: string) => {
      if (operation === 'write index.html') return 3;
      if (operation === 'remove gone/index.html') return 4;
      if (operation === 'invalidate gone/index.html') return 5;
      if (/^write (?:_headers$|.*hosts\/)/.test(operation)) return -1;
      if (/write (?:tags\/rust\/)?(?:feed|rss|llms|sitemap|robots)/.test(operation)) return 2;
      return operation.startsWith('write post-') ? 0 : 1;
    };
    const order = build.operations.map(rank);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(new Set(order).size).toBe(7);
    expect(order.filter((stage) => stage === 0)).toHaveLength(2 * 150);
  });

  it('a full build holds at most one batch of pages in memory', async () => {
    const build = openBuild();
    const { written } = await build.everything(blogOf(150));
    expect(build.rendered.length).toBeGreaterThan(2);
    expect(Math.max(...build.rendered)).toBeLessThanOrEqual(BATCH_PAGES);
    expect(build.rendered.reduce((sum, pages) => sum + pages)).toBe(written);
    expect(build.files.size).toBe(written);
  });

  it('a build holds at most a fixed number of bytes of posts in memory, full or partial', async () => {
    const build = openBuild();
    const bytes = BATCH_BYTES / 4;
    const posts = publishedPosts(60, () => ({ tags: [rust], bytes }));
    const { written } = await build.everything({ posts });
    // Four posts, each with its page and Markdown, or one feed, which holds as many as fit.
    expect(build.rendered.filter((pages) => pages === 4).length).toBeGreaterThanOrEqual(25);
    expect(build.rendered.reduce((sum, pages) => sum + pages)).toBe(written);
    const places = posts.map(({ slug }) => placeOf({ posts }, slug));
    build.rendered.length = 0;
    build.gaveWay.length = 0;
    await build.places({ posts: posts.map((post) => ({ ...post, title: 'Other' })) }, places.slice(0, 20));
    expect(build.rendered.filter((pages) => pages > 30)).toEqual([]);
    expect(build.gaveWay.length).toBeGreaterThan(0);
  });

  it('a build of several batches yields before each batch and while it writes one', async () => {
    const build = openBuild();
    const parts = blogOf(150);
    await build.everything(parts);
    expect(build.gaveWay[0]).toBe(0);
    const doneBetween = build.gaveWay.map((done, index) => done - (build.gaveWay[index - 1] ?? 0));
    expect(Math.max(...doneBetween)).toBeLessThanOrEqual(16);
    build.gaveWay.length = 0;
    await build.places(parts, [placeOf(parts, 'post-1')]);
    expect(build.gaveWay).toEqual([]);
  });

  it('a second full build writes and removes nothing', async () => {
    const build = openBuild();
    await build.everything(blogOf(25));
    build.operations.length = 0;
    expect(await build.everything(blogOf(25))).toMatchObject({ written: 0, removed: [] });
    expect(build.operations).toEqual([]);
  });

  it('a full build removes files that the manifest lists and no page claims', async () => {
    const build = openBuild();
    await build.everything(blogOf(12));
    const { removed } = await build.everything(blogOf(10));
    expect([...removed].sort()).toEqual(
      [
        ...['archive/2026-01/page/2', 'page/2', 'post-11', 'post-12', 'tags/rust/page/2'].map(
          (path) => `${path}/index.html`,
        ),
        ...['post-11.md', 'post-12.md'],
      ].sort(),
    );
    expect(build.files.has('post-11/index.html')).toBe(false);
  });

  it('a full build reports the cards to draw until the edge has them', async () => {
    const build = openBuild();
    const parts = blogOf(2);
    const keys = [blog.id, ...parts.posts.map(({ id }) => id)].map((id) => `card:${id}`);
    expect((await build.everything(parts)).undrawnCards).toEqual(keys);
    expect((await build.everything(parts)).undrawnCards).toEqual(keys);
    const named = /og\/[0-9a-f]+\.png/.exec(build.files.get('post-1/index.html') ?? '')?.[0] ?? expect.fail();
    const drawn = {
      key: keys[1] ?? '',
      path: named,
      stage: 'cards',
      bytes: new Uint8Array(),
      hash: 'h',
    } as const;
    await build.manifest.record([drawn]);
    expect((await build.everything(parts)).undrawnCards).toEqual(keys.filter((key) => key !== keys[1]));
  });

  it('a full build reports the duration of each step', async () => {
    const { steps } = await openBuild().everything(blogOf(12));
    expect(Object.keys(steps)).toEqual(['plan', 'render', 'apply']);
    expect(Math.min(...Object.values(steps))).toBeGreaterThan(0);
  });
});

describe('a partial build of changed posts', () => {
  it('a partial build writes the pages that show a difference, and no others', async () => {
    const build = openBuild();
    await build.everything(blogOf(25));
    build.operations.length = 0;
    const after = blogOf(26);
    const outcome = await build.places(after, [placeOf(after, 'post-26')]);
    const writes = build.operations.filter((operation) => operation.startsWith('write '));
    expect(writes.sort()).toEqual(
      [
        'archive/2026-01/index.html',
        'archive/2026-01/page/3/index.html',
        'archive/index.html',
        'feed.json',
        'feed.xml',
        'index.html',
        'llms-full.txt',
        'llms.txt',
        'page/3/index.html',
        'post-25/index.html',
        'post-26.md',
        'post-26/index.html',
        'rss.xml',
        'sitemap-1.xml',
        'tags/index.html',
        'tags/rust/feed.json',
        'tags/rust/feed.xml',
        'tags/rust/index.html',
        'tags/rust/page/3/index.html',
        'tags/rust/rss.xml',
      ].map((path) => `write ${path}`),
    );
    expect(outcome).toMatchObject({ written: 20, removed: [] });
    const invalidations = build.operations.slice(writes.length);
    const added = ['write post-26.md', 'write post-26/index.html'];
    expect(invalidations.sort()).toEqual(
      writes.filter((write) => !added.includes(write)).map((write) => write.replace('write', 'invalidate')),
    );
    expect(outcome.invalidated).toBe(invalidations.length);
  });

  it('a partial build removes the old path of a moved post after it has invalidated the pages that linked there', async () => {
    const build = openBuild();
    const before = blogOf(3);
    await build.everything(before);
    build.operations.length = 0;
    const after = {
      posts: before.posts.map((post) => (post.slug === 'post-2' ? { ...post, slug: 'moved' } : post)),
    };
    const outcome = await build.places(after, [placeOf(before, 'post-2'), placeOf(after, 'moved')]);
    const removed = ['post-2.md', 'post-2/index.html'];
    expect([...outcome.removed].sort()).toEqual(removed);
    expect(build.operations.slice(-4).sort()).toEqual(
      ['invalidate', 'remove'].flatMap((name) => removed.map((path) => `${name} ${path}`)),
    );
    const lists = build.operations.indexOf('invalidate index.html');
    expect(lists).toBeGreaterThan(build.operations.lastIndexOf('write feed.xml'));
    expect(lists).toBeLessThan(build.operations.indexOf('remove post-2.md'));
    expect(build.operations.at(-1)).toMatch(/^invalidate /);
  });

  it('a partial build lets two posts swap slugs and removes neither', async () => {
    const build = openBuild();
    const before = blogOf(2);
    await build.everything(before);
    const swap: Record<string, string> = { 'post-1': 'post-2', 'post-2': 'post-1' };
    const after = { posts: before.posts.map((post) => ({ ...post, slug: swap[post.slug] ?? post.slug })) };
    const places = [before, after].flatMap((parts) =>
      ['post-1', 'post-2'].map((slug) => placeOf(parts, slug)),
    );
    expect(await build.places(after, places)).toMatchObject({ removed: [] });
    expect(build.files.get('post-1/index.html')).toContain('Text 2.');
    expect(build.files.get('post-1.md')).toContain('Text 2.');
    expect(build.files.get('post-2/index.html')).toContain('Text 1.');
  });
});

describe('a reader who follows links from the front page', () => {
  /** Link targets by page text: most pages are checked many times in the same state. */
  const targets = new Map<string, readonly string[]>();
  const targetsOf = (html: string): readonly string[] => {
    const known = targets.get(html);
    if (known) return known;
    const hrefs = [...html.matchAll(/<a [^<>]*?href="(\/[^"#]*)"/g)].map(([, href = '']) => href);
    const found = hrefs.map((href) =>
      decodeURIComponent(href)
        .slice(1)
        .replace(/(?:^|\/)$/, '$&index.html'),
    );
    targets.set(html, found);
    return found;
  };

  /** Links to missing files on pages that a reader can reach. */
  function deadEnds(files: ReadonlyMap<string, string>): string[] {
    const seen = new Set(['index.html']);
    const dead: string[] = [];
    for (const path of seen) {
      for (const target of targetsOf(files.get(path) ?? '')) {
        if (files.has(target)) seen.add(target);
        else dead.push(`${path} leads to ${target}`);
      }
    }
    return dead;
  }

  const tagNamed = (name: string) => ({ label: name, slug: name });
  /** A blog with a tag that all posts have, and one tag for every eight posts. */
  const taggedBlog = (count: number): SiteParts => ({
    posts: publishedPosts(count, (n) => ({ tags: [rust, tagNamed(`tag-${Math.ceil(n / 8)}`)] })),
  });
  /** The same blog with a post that has since moved and has a tag of its own. */
  function movedIn(parts: SiteParts, slug: string): SiteParts {
    const posts = parts.posts.map((post) => {
      if (post.slug !== slug) return post;
      const tags = [...post.tags, tagNamed('moved')];
      return { ...post, slug: 'moved', tags, tagPages: { ...post.tagPages, moved: 1 } };
    });
    return { posts, redirects: { [slug]: 'moved' } };
  }

  const empty: SiteParts = { posts: [] };
  const changes: readonly [string, SiteParts, SiteParts, (slug: string, n: number) => boolean][] = [
    ['the first of all', empty, taggedBlog(3), () => true],
    ['the first of many', empty, taggedBlog(130), () => true],
    ['one post with a new tag', taggedBlog(24), taggedBlog(25), (_slug, n) => n === 25],
    ['many posts with new tags', taggedBlog(95), taggedBlog(230), (_slug, n) => n > 95],
    ['one that moves', taggedBlog(24), movedIn(taggedBlog(24), 'post-7'), (slug) => slug === 'moved'],
    [
      'one that moves while many come',
      taggedBlog(95),
      movedIn(taggedBlog(170), 'post-40'),
      (slug, n) => slug === 'moved' || n > 95,
    ],
    [
      'one that comes where another has been, and has a new tag',
      movedIn(taggedBlog(24), 'post-7'),
      {
        posts: [...movedIn(taggedBlog(24), 'post-7').posts, ...taggedBlog(120).posts.slice(24)].map((post) =>
          post.slug === 'post-120' ? { ...post, slug: 'post-7' } : post,
        ),
      },
      (slug, n) => slug === 'post-7' || n > 24,
    ],
  ];
  it.each(
    changes.flatMap(([what, ...change]) => [
      [what, 'the affected pages', ...change] as const,
      [what, 'everything', ...change] as const,
    ]),
  )(
    'a reader finds every linked page while the blog changes: %s, by a build of %s',
    async (_, of, before, after, isChanged) => {
      const build = openBuild();
      await build.everything(before);
      const found = new Set<string>();
      build.watch(() => {
        for (const dead of deadEnds(build.files)) found.add(dead);
      });
      const changed = new Set(
        after.posts.filter(({ slug }, index) => isChanged(slug, index + 1)).map(({ id }) => id),
      );
      const places = [before, after].flatMap((parts) =>
        parts.posts.filter(({ id }) => changed.has(id)).map(({ slug }) => placeOf(parts, slug)),
      );
      await (of === 'everything' ? build.everything(after) : build.places(after, places));
      expect([...found]).toEqual([]);
      const clean = openBuild();
      await clean.everything(after);
      expect(build.files).toEqual(clean.files);
    },
  );

  const listAt = (list: string): SiteParts => ({
    posts: publishedPosts(151, (n) => (n === 151 ? { type: 'page', slug: 'welcome', homeList: PAGES } : {})),
    blog: {
      settings: {
        ...blog.settings,
        frontPage: { page: 'welcome', list },
        navigation: [{ label: 'Posts', url: `/${list}/` }],
      },
    },
  });
  it.each([
    ['new blog', null, listAt('posts')],
    ['blog whose list was at the root', { posts: listAt('posts').posts }, listAt('posts')],
    ['blog whose list moves', listAt('posts'), listAt('blog')],
    ['blog whose list returns to the root', listAt('posts'), { posts: listAt('posts').posts }],
  ])(
    'a reader finds every linked page while a page is put at the root or leaves it: %s',
    async (_, before, after) => {
      const build = openBuild();
      if (before) await build.everything(before);
      const found = new Set<string>();
      build.watch(() => {
        for (const dead of deadEnds(build.files)) found.add(dead);
      });
      await build.everything(after);
      expect([...found]).toEqual([]);
    },
  );
});

describe('a build after the edge failed', () => {
  it('the next build completes the intended writes of a failed one, whatever it was requested for', async () => {
    const build = openBuild();
    const [before, after] = [blogOf(12), blogOf(13)];
    await build.everything(before);
    build.breakAt((path) => path === 'index.html');
    await expect(build.places(after, [placeOf(after, 'post-13')])).rejects.toThrow('broken at index.html');
    expect(await build.manifest.uncertainPages()).toContain('list::first');
    build.breakAt(() => false);
    await build.places(after, []);
    expect(await build.manifest.uncertainPages()).toEqual([]);
    const clean = openBuild();
    await clean.everything(after);
    expect(build.files).toEqual(clean.files);
  });

  it('the build after a failed one invalidates all copies, since the files changed by the failed one are unknown', async () => {
    const { everything, everythingAgain, operations } = openBuild();
    await everything(blogOf(3));
    operations.length = 0;
    await everythingAgain(blogOf(3));
    expect(operations).toEqual(['invalidate *']);
  });

  it('the next build removes a file that a failed one may have written for a post that is gone since', async () => {
    const build = openBuild();
    const [before, after] = [blogOf(12), blogOf(13)];
    await build.everything(before);
    build.breakAt((path) => path === 'index.html');
    await expect(build.places(after, [placeOf(after, 'post-13')])).rejects.toThrow();
    expect(build.files.has('post-13/index.html')).toBe(true);
    build.breakAt(() => false);
    await build.places(before, []);
    const clean = openBuild();
    await clean.everything(before);
    expect(build.files).toEqual(clean.files);
  });

  it('the next build writes a file again that a failed one may have removed, if its post is back', async () => {
    const build = openBuild();
    const [before, after] = [blogOf(13), blogOf(12)];
    await build.everything(before);
    build.breakAt((path) => path === 'post-13/index.html' && !build.files.has(path));
    await expect(build.everything(after)).rejects.toThrow('broken at post-13/index.html');
    build.breakAt(() => false);
    await build.places(before, [placeOf(before, 'post-13')]);
    const clean = openBuild();
    await clean.everything(before);
    expect(build.files).toEqual(clean.files);
  });

  it('the next build does not repeat batches that a failed one completed', async () => {
    const build = openBuild();
    build.breakAt((path) => path === 'post-100/index.html');
    await expect(build.everything(blogOf(150))).rejects.toThrow('broken at post-100/index.html');
    build.breakAt(() => false);
    build.operations.length = 0;
    await build.everything(blogOf(150));
    expect(build.operations).not.toContain('write post-1/index.html');
    expect(build.operations).toContain('write post-100/index.html');
    expect(build.files.has('post-150/index.html')).toBe(true);
  });
});
