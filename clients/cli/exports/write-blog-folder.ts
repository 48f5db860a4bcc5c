import type { AccountExport, Platen } from '../../sdk/index.ts';
import { fetchImage, ImageError } from '../downloads/fetch-image.ts';
import { SETTINGS_FILE } from '../folder/markdown-kind.ts';
import type { OutputFolder } from '../folder/output/output-folder.ts';
import { postFile, type WrittenPost, yamlOf } from '../folder/output/write-post.ts';
import { replaceReferences } from '../folder/references.ts';
import { FolderError } from '../folder/walk.ts';
import { createImageFiles, type ExportedImage, type ImageFiles } from './image-addresses.ts';

type ExportedBlog = AccountExport['blogs'][number];
type ExportedPost = ExportedBlog['posts'][number];

export interface ExportOptions {
  /** Reaches the blog. */
  readonly platen: Platen;
  /** The slug of the blog. */
  readonly slug: string;
  readonly output: OutputFolder;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((posts: number) => void) | undefined;
}

export interface ExportReport {
  readonly posts: number;
  readonly images: number;
  /** Images that could not be fetched: posts name them by their addresses. */
  readonly missing: readonly { readonly url: string; readonly message: string }[];
}

/**
 * Writes everything of a blog as a folder that a deploy takes as it is. Throws a FolderError if the key does not reach the
 * blog or the folder cannot be written, and what the SDK throws.
 */
export async function writeBlogFolder(options: ExportOptions): Promise<ExportReport> {
  const { platen, slug, output, signal } = options;
  let images: Images | undefined;
  let posts = 0;
  for await (const part of platen.account.exportParts({ signal })) {
    const blog = part.blogs.find((one) => one.blog.slug === slug);
    if (blog === undefined) throw new FolderError(`this key reaches no blog with the slug ${slug}`);
    // Every part lists all images: those of other blogs too, which posts may show.
    images ??= await writeBlog(
      blog,
      part.blogs.flatMap((one) => one.images),
      options,
    );
    for (const post of blog.posts) {
      signal?.throwIfAborted();
      const written = await writtenPost(post, images);
      await output.write(fileOf(written), postFile(written));
      posts += 1;
      options.onProgress?.(posts);
    }
  }
  await output.finish();
  return { posts, images: images?.count() ?? 0, missing: images?.missing ?? [] };
}

/** Writes what is about the blog as a whole, and its images. */
async function writeBlog(
  { blog, images: own, redirects }: ExportedBlog,
  all: readonly ExportedImage[],
  { output, signal }: ExportOptions,
): Promise<Images> {
  const images = createImages(createImageFiles(all), output, signal);
  for (const { url } of own) await images.fileAt(url);
  const { settings, theme_config } = blog;
  const { author, icon } = settings;
  const shown = {
    ...settings,
    icon: icon && ((await images.fileAt(icon)) ?? icon),
    author: author?.image
      ? { ...author, image: (await images.fileAt(author.image)) ?? author.image }
      : author,
  };
  const text = yamlOf({
    markdown: 'exact',
    slug: blog.slug,
    custom_domain: blog.custom_domain ?? undefined,
    name: blog.name,
    description: blog.description,
    settings: shown,
    theme: Object.keys(theme_config).length > 0 ? theme_config : undefined,
    redirects: redirects.length > 0 ? redirects : undefined,
  });
  await output.write(SETTINGS_FILE, text);
  return images;
}

interface Images {
  /** The file of an image, relative to the folder; undefined if it is none of the account, or cannot be fetched. */
  fileAt(address: string): Promise<string | undefined>;
  count(): number;
  readonly missing: { url: string; message: string }[];
}

/** Fetches each image once. Those that an interrupted run has left are whole, and not fetched again. */
function createImages(files: ImageFiles, output: OutputFolder, signal: AbortSignal | undefined): Images {
  const fetched = new Map<string, Promise<boolean>>();
  const missing: { url: string; message: string }[] = [];
  let there: Promise<ReadonlySet<string>> | undefined;
  async function fetchOne(url: string, file: string): Promise<boolean> {
    there ??= output.list('images').then((names) => new Set(names.map((name) => `images/${name}`)));
    if (output.goesOn && (await there).has(file)) return true;
    try {
      await output.write(file, await fetchImage(url, { signal }));
      return true;
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      missing.push({ url, message: error.message });
      return false;
    }
  }
  return {
    async fileAt(address) {
      const found = files.find(address);
      if (found === undefined) return undefined;
      const done = fetched.get(found.file) ?? fetchOne(found.url, found.file);
      fetched.set(found.file, done);
      return (await done) ? found.file : undefined;
    },
    count: () => fetched.size - missing.length,
    missing,
  };
}

async function writtenPost(post: ExportedPost, images: Images): Promise<WrittenPost> {
  const local = async (address: string | null | undefined) => {
    const file = address ? await images.fileAt(address) : undefined;
    return file === undefined ? (address ?? undefined) : `../${file}`;
  };
  const { author, series, cover_image } = post;
  const cover = await local(cover_image?.url);
  const portrait = await local(author?.image);
  return {
    slug: post.slug,
    type: post.type,
    title: post.title,
    content: await withFiles(post.content_md, images),
    status: post.status,
    date: post.scheduled_at ?? post.published_at ?? undefined,
    tags: post.tags,
    description: post.meta.description ?? undefined,
    previewImage: await local(post.meta.og_image),
    canonicalUrl: post.canonical_url ?? undefined,
    cover: cover === undefined ? undefined : { url: cover, alt: cover_image?.alt ?? '' },
    author: author
      ? { name: author.name, ...(author.url && { url: author.url }), ...(portrait && { image: portrait }) }
      : undefined,
    series: series ?? undefined,
    featured: post.featured,
    unlisted: post.unlisted,
    translations: post.translations,
    language: post.language ?? undefined,
    oldAddresses: post.previous_slugs.map((slug) => `/${slug}/`),
  };
}

/** Markdown whose images are files of the folder. */
async function withFiles(markdown: string, images: Images): Promise<string> {
  const named = new Set<string>();
  replaceReferences(markdown, (address) => {
    named.add(address);
    return null;
  });
  const files = new Map<string, string>();
  for (const address of named) {
    const file = await images.fileAt(address);
    if (file !== undefined) files.set(address, `../${file}`);
  }
  return files.size === 0 ? markdown : replaceReferences(markdown, (address) => files.get(address) ?? null);
}

/** `posts/2024-05-01-ink.md`: in the order of publication, in which a deploy creates posts. */
function fileOf({ type, status, date, slug }: WrittenPost): string {
  if (type === 'page') return `pages/${slug}.md`;
  const day = status === 'draft' || date === undefined ? '' : `${date.slice(0, 10)}-`;
  return `${status === 'draft' ? 'drafts' : 'posts'}/${day}${slug}.md`;
}
