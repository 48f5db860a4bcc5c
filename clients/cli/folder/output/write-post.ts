import { stringify } from 'yaml';
import type { FolderPost } from '../folder-post.ts';

/** A post as its file is to say it. Images are paths as the file names them, or addresses. */
export type WrittenPost = Omit<FolderPost, 'file'>;

/** The text of a post's file: its front matter in YAML, then its Markdown, byte for byte. */
export function postFile(post: WrittenPost): string {
  const { cover, author, series } = post;
  const fields = {
    title: post.title,
    slug: post.slug,
    ...(post.type === 'page' && { type: 'page' }),
    ...(post.status !== 'published' && { status: post.status }),
    date: post.date,
    description: post.description,
    ...(post.tags.length > 0 && { tags: post.tags }),
    author: author && (author.url || author.image ? author : author.name),
    series: series?.name,
    series_order: series?.part,
    cover_image: cover && (cover.alt === '' ? cover.url : cover),
    og_image: post.previewImage,
    canonical_url: post.canonicalUrl,
    language: post.language,
    ...(post.featured && { featured: true }),
    ...(post.unlisted && { unlisted: true }),
    ...(Object.keys(post.translations).length > 0 && { translations: post.translations }),
    ...(post.oldAddresses.length > 0 && { aliases: post.oldAddresses }),
  };
  return `---\n${yamlOf(fields)}---\n${post.content}`;
}

/** YAML that is read back as it was: what could be taken for something else is quoted, and no line is folded. */
export function yamlOf(fields: object): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return stringify(Object.fromEntries(given), { lineWidth: 0, aliasDuplicateObjects: false });
}
