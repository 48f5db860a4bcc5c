import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildEverything } from '../../generator/build.ts';
import { openFilesystemEdge } from '../../generator/edge/filesystem.ts';
import { layoutData } from '../../generator/layouts/data.ts';
import { compileLayout } from '../../generator/layouts/engine.ts';
import type { HtmlView } from '../../generator/page.ts';
import { createRenderer } from '../../generator/render/renderer.ts';
import type { SiteBlog } from '../../generator/site/blog.ts';
import type { RenderView } from '../../generator/theme/templates.ts';
import { tagSlug } from '../../server/addresses/slug.ts';
import { blog, listView, notFoundView, postView, redirectView } from '../generator/render/views.ts';
import { wordFor } from './hostile-twin.ts';
import { memoryManifest } from './manifest.ts';
import { publishedPosts, siteOf } from './site.ts';
import { readEdge } from './site-builder.ts';

/**
 * The files of a blog and of its twin. Each string, or its word in the twin, is the name, title and so on of a post.
 */
export async function buildTwins(strings: readonly string[]): Promise<{
  readonly hostile: ReadonlyMap<string, string>;
  readonly twin: ReadonlyMap<string, string>;
}> {
  const words = strings.map((_, index) => wordFor(index));
  const slugs = strings.map(tagSlug);
  return { hostile: await buildBlog(strings, slugs), twin: await buildBlog(words, slugs) };
}

/** Builds a blog in which every text of posts and blog is one of the texts. */
async function buildBlog(texts: readonly string[], tagSlugs: readonly string[]) {
  const posts = publishedPosts(texts.length, (n) => {
    const text = texts[n - 1] ?? '';
    const tags = [{ label: text, slug: tagSlugs[n - 1] ?? '' }];
    const translations = [{ lang: 'de', url: '/post-1/' }];
    return { title: text, description: text, tags, translations, ogImage: 'https://images.example/card.png' };
  });
  const [name = '', description = ''] = texts;
  // As many posts as the recent index always holds with their full texts.
  const recent = posts.slice(0, 40);
  const site = siteOf({
    posts,
    redirects: { 'old-address': 'post-1' },
    blog: { name, description },
    recent: {
      hasSearchIndex: false,
      isComplete: true,
      removedIds: [],
      posts: recent,
      texts: recent.map(({ title }) => title),
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'platen-hostile-'));
  await buildEverything({
    site,
    edge: await openFilesystemEdge(folder),
    manifest: memoryManifest(),
    renderer: createRenderer(),
    isRetry: false,
  });
  const files = readEdge(folder, blog.folder);
  rmSync(folder, { recursive: true });
  return files;
}

/** An owner's layout that prints all of its data, as text and in attributes. */
const { frame } = compileLayout(
  `<header title="{{ page.title }}"><a href="/" title='{{ blog.name }}'>{{ blog.name }}</a>
    <p>{{ blog.description }}{% echo page.title %}{% cycle blog.name %}</p></header>
  {{ content }}
  {% for tag in post.tags %}<a href="{{ tag.url }}">{{ tag.label | append: "" }}</a>{% endfor %}
  <p title="{{ post.title }}">{{ post.title | append: post.description }}{{ post.tags | map: "label" | join }}</p>`,
  'en',
);

/** The views in the theme, and, if possible, in an owner's layout. */
export const renderedInAllWays = (render: RenderView, views: readonly HtmlView[]): string[] => [
  ...views.map((view) => render(view)),
  ...views.flatMap((view) => (view.layout === 'redirect' ? [] : [render(view, frame(layoutData(view)))])),
];

/** Every layout in every form, for a blog with this name and description. */
export function everyView(text: string): HtmlView[] {
  const named: SiteBlog = { ...blog, name: text, description: text };
  const tag = { label: text, slug: 'tag' };
  return [
    postView({ title: text, description: text, tags: [tag] }, named),
    postView({ title: text, translations: [{ lang: 'ja', url: 'https://e.example/' }] }, named),
    // As in a preview.
    {
      ...postView({ title: text, updatedAt: '2027-01-01T00:00:00.000Z' }, { ...named, indexable: false }),
      ogImage: '',
    },
    listView({ blog: named }),
    listView({ blog: named, posts: [] }),
    listView({ blog: named, pageNumber: 7, newer: '/', older: '/page/6/' }),
    listView({ blog: named, tag }),
    listView({ blog: named, tag, pageNumber: 7 }),
    { ...redirectView, blog: named },
    { ...notFoundView, blog: named },
  ];
}
