import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { SEARCH_INDEX_FOLDER } from '../../generator/search/search-index.ts';
import type { Blog } from '../../server/blogs/blog.ts';
import { findBlog } from '../../server/blogs/store.ts';
import type { IndexMaker } from '../../server/search-index/index-maker.ts';
import { allSearchedPosts, findLastSearchChange } from '../../server/search-index/store.ts';
import { createSnapshots } from '../../server/site/snapshots.ts';
import type { Workshop } from './site-builder.ts';

const FILE = 'all.json';

/** A substitute for the Pagefind index in tests about other things: one file that holds all posts. */
export const plainBases = ({ databaseFile }: { readonly databaseFile: string }): IndexMaker => ({
  async make(blogId, use) {
    const snapshots = createSnapshots(databaseFile);
    const folder = await mkdtemp(join(tmpdir(), 'platen-base-'));
    try {
      const made = await snapshots.read(async (snapshot) => {
        const blog = await findBlog(snapshot, blogId);
        if (!blog) return null;
        const posts: { id: string; title: string }[] = [];
        for await (const { id, title } of allSearchedPosts(snapshot, blogId)) posts.push({ id, title });
        const content = JSON.stringify(posts);
        await writeFile(join(folder, FILE), content);
        const files = [{ path: FILE, hash: createHash('sha256').update(content).digest('hex') }];
        return { folder: blog.folder, lastChange: await findLastSearchChange(snapshot, blogId), files };
      });
      await use(made, folder);
    } finally {
      await snapshots.close();
      await rm(folder, { recursive: true });
    }
  },
  stop() {},
});

const Posts = z.array(z.object({ id: z.string(), title: z.string() }));
const Recent = z.object({ base: z.boolean(), gone: z.array(z.string()), posts: Posts });

/** Titles that readers can find in a blog with a plain search index, in order. */
export function searchable(files: ReadonlyMap<string, string>): string[] {
  const recent = Recent.parse(JSON.parse(files.get('search/recent.json') ?? ''));
  const superseded = new Set([...recent.gone, ...recent.posts.map(({ id }) => id)]);
  const base = recent.base ? Posts.parse(JSON.parse(files.get(SEARCH_INDEX_FOLDER + FILE) ?? '')) : [];
  return [...recent.posts, ...base.filter(({ id }) => !superseded.has(id))].map(({ title }) => title).sort();
}

/** The files of a blog without its search index, which may be behind. */
export const withoutBase = (files: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...files].filter(([path]) => !path.startsWith(SEARCH_INDEX_FOLDER)));

/** Titles of a blog's published posts, in order. */
export async function publishedTitles({ services }: Workshop, { id }: Blog): Promise<string[]> {
  const published = services.db
    .selectFrom('posts')
    .select('title')
    .where('blog_id', '=', id)
    .where('status', '=', 'published');
  return (await published.execute()).map(({ title }) => title).sort();
}

/** Makes an overdue index build due now. */
export async function hurryBase({ services }: Workshop, { id }: Blog): Promise<void> {
  const behind = services.db
    .updateTable('search_indexes')
    .set({ due_at: '' })
    .where('due_at', 'is not', null);
  await behind.where('blog_id', '=', id).execute();
}
