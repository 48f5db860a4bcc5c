import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { placeOf } from '../../folder/file-message.ts';
import { type FolderPost, withImages } from '../../folder/folder-post.ts';
import { words } from '../../folder/front-matter/field-values.ts';
import { splitFrontMatter } from '../../folder/front-matter/front-matter.ts';
import { type Folder, type FolderFile, messageOf, readFolder } from '../../folder/read-folder.ts';
import type { ReadPost } from '../../folder/read-post.ts';
import { readSource } from '../../folder/source-file.ts';
import type { ImportReport } from '../import-report.ts';
import type { ImportedPost, ImportSource } from '../imported-blog.ts';
import { OWN_IMAGE } from '../localise.ts';
import { hugoAddress, jekyllAddress } from './permalinks.ts';
import { readSiteConfig, type SiteConfig } from './site-config.ts';

type Kind = 'hugo' | 'jekyll';

/** Opens the folder of a site that Hugo or Jekyll builds. What Markdown has beyond CommonMark becomes what Platen has. */
export async function readGenerator(folder: string, kind: Kind, report: ImportReport): Promise<ImportSource> {
  const config = await readSiteConfig(folder, kind, report);
  const site = await readFolder(folder, { generator: kind });
  for (const error of site.errors) report.fail(placeOf(error), error.message);
  for (const remark of site.remarks) report.remark(placeOf(remark), remark.message);
  return {
    settings: config.settings,
    siteUrl: config.siteUrl,
    redirects: kind === 'hugo' ? [{ from: '/index.xml', to: '/rss.xml' }] : [],
    async *posts() {
      for (const file of site.files) {
        const post = await readPost(site, file, kind, config, report);
        if (post !== null) yield post;
      }
    },
    imageAt: async (address) =>
      address.startsWith(OWN_IMAGE)
        ? readFile(join(folder, decodeURIComponent(address.slice(OWN_IMAGE.length))))
        : null,
  };
}

async function readPost(
  site: Folder,
  file: FolderFile,
  kind: Kind,
  config: SiteConfig,
  report: ImportReport,
): Promise<ImportedPost | null> {
  let read: ReadPost;
  try {
    read = await site.read(file);
  } catch (error) {
    const message = messageOf(file.file, error);
    report.fail(placeOf(message), message.message);
    return null;
  }
  const addresses = new Map(
    [...read.imagePaths].map(([hash, path]) => [
      hash,
      OWN_IMAGE + encodeURI(path).replace(/[()?#]/g, encodeURIComponent),
    ]),
  );
  const marked = (text: string) => withImages(text, addresses);
  const { file: _, content, cover, author, previewImage, ...post } = read.post;
  return {
    ...post,
    type: isPage(file.file, kind) ? 'page' : post.type,
    cover: cover && { ...cover, url: marked(cover.url) },
    author: author && { ...author, ...(author.image !== undefined && { image: marked(author.image) }) },
    previewImage: previewImage && marked(previewImage),
    oldAddresses: await addressesOf(site.path, read.post, kind, config),
    body: { markdown: marked(content) },
    remarks: read.remarks.map(
      ({ line, message }) => `${placeOf({ file: file.file, line, message })}: ${message}`,
    ),
  };
}

/** What is outside the posts of Jekyll, or in no section of Hugo. */
const isPage = (file: string, kind: Kind): boolean =>
  kind === 'jekyll' ? !/(?:^|\/)_(?:posts|drafts)\//.test(file) : /^content\/[^/]+$/.test(file);

const categories = z.object({
  categories: words.optional().catch([]),
  category: words.optional().catch([]),
  slug: z.string().optional().catch(undefined),
});

/** The addresses that a post has had: those in its front matter, or the one that its generator gave it. */
async function addressesOf(
  folder: string,
  post: FolderPost,
  kind: Kind,
  config: SiteConfig,
): Promise<readonly string[]> {
  const { data } = splitFrontMatter(await readSource(folder, post.file));
  const hasOwn = ['url', 'permalink'].some((name) => typeof data[name] === 'string');
  if (post.status !== 'published' || hasOwn) return post.oldAddresses;
  const given = categories.parse(data);
  const addressed = {
    file: post.file,
    title: post.title,
    slug: given.slug,
    date: post.date,
    categories: given.categories ?? given.category ?? [],
  };
  const address = kind === 'jekyll' ? jekyllAddress(addressed, config) : hugoAddress(addressed, config);
  return address === null || address === '/' ? post.oldAddresses : [...post.oldAddresses, address];
}
