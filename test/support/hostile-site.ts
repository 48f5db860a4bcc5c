import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFilesystemEdge } from '../../generator/edge/filesystem.ts';
import { pressEverything } from '../../generator/press.ts';
import { createRenderer } from '../../generator/render/renderer.ts';
import type { HtmlView, SiteBlog } from '../../generator/site.ts';
import { tagSlug } from '../../server/domain/slug.ts';
import { blog, listView, notFoundView, postView, redirectView } from '../generator/render/views.ts';
import { wordFor } from './hostile-twin.ts';
import { memoryManifest } from './manifest.ts';
import { readEdge } from './press.ts';
import { publishedPosts, siteOf } from './site.ts';

/** The files of a blog, and of its twin: each string, and the word for it, is the name, ... of a post. */
export async function pressTwins(strings: readonly string[]): Promise<{
  readonly hostile: ReadonlyMap<string, string>;
  readonly twin: ReadonlyMap<string, string>;
}> {
  const words = strings.map((_, index) => wordFor(index));
  const slugs = strings.map(tagSlug);
  return { hostile: await pressBlog(strings, slugs), twin: await pressBlog(words, slugs) };
}

/** Every text of a post, and of the blog, is one of the texts. */
async function pressBlog(texts: readonly string[], tagSlugs: readonly string[]) {
  const posts = publishedPosts(texts.length, (n) => {
    const text = texts[n - 1] ?? '';
    const tags = [{ label: text, slug: tagSlugs[n - 1] ?? '' }];
    return { title: text, description: text, tags, ogImage: 'https://images.example/card.png' };
  });
  const [name = '', description = ''] = texts;
  const site = siteOf({ posts, redirects: { 'old-address': 'post-1' }, blog: { name, description } });
  const folder = mkdtempSync(join(tmpdir(), 'platen-hostile-'));
  await pressEverything({
    site,
    edge: await openFilesystemEdge(folder),
    manifest: memoryManifest(),
    render: createRenderer().render,
  });
  const files = readEdge(folder, blog.slug);
  rmSync(folder, { recursive: true });
  return files;
}

/** Every layout, in every form that shows something else, of a blog with this name and description. */
export function everyView(text: string): HtmlView[] {
  const named: SiteBlog = { ...blog, name: text, description: text };
  const tag = { label: text, slug: 'tag' };
  return [
    postView({ title: text, description: text, tags: [tag] }, named),
    // As a preview shows it.
    {
      ...postView({ title: text, updatedAt: '2027-01-01T00:00:00.000Z' }, { ...named, indexable: false }),
      ogImage: '',
    },
    listView({ blog: named }),
    listView({ blog: named, posts: [] }),
    listView({ blog: named, run: 7, newer: '/', older: '/page/6/' }),
    listView({ blog: named, tag }),
    listView({ blog: named, tag, run: 7 }),
    { ...redirectView, blog: named },
    { ...notFoundView, blog: named },
  ];
}
