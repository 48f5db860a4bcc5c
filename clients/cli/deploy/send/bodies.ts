import type { CreatePost, UpdatePost } from '../../../sdk/index.ts';
import { type FolderPost, imagesIn, withImages } from '../../folder/folder-post.ts';

/** Hashes of all images that a post shows. */
export const imagesOf = ({ content, cover, author, previewImage }: FolderPost): string[] =>
  imagesIn([content, cover?.url, author?.image, previewImage].join('\n'));

/** What creates a post. `addresses` are those of its images, by hash. */
export function createBody(post: FolderPost, addresses: ReadonlyMap<string, string>): CreatePost {
  const { type, slug, status, date } = post;
  const { meta, ...fields } = updateBody(post, addresses);
  const { title } = post;
  return {
    ...fields,
    title,
    slug,
    status,
    ...(type === 'page' && { type }),
    ...(post.description || post.previewImage ? { meta } : {}),
    ...(status === 'published' && date !== undefined && { published_at: date }),
    ...(status === 'scheduled' && { scheduled_at: date }),
  };
}

/** What makes a post in Platen the same as its file: a field that the file does not have any more is removed. */
export function updateBody(post: FolderPost, addresses: ReadonlyMap<string, string>) {
  const resolved = (text: string) => withImages(text, addresses);
  const { cover, author, previewImage } = post;
  return {
    title: post.title,
    content: resolved(post.content),
    tags: [...post.tags],
    meta: {
      description: post.description ?? null,
      og_image: previewImage === undefined ? null : resolved(previewImage),
    },
    canonical_url: post.canonicalUrl ?? null,
    cover_image: cover === undefined ? null : { url: resolved(cover.url), alt: cover.alt },
    author:
      author === undefined ? null : { ...author, ...(author.image && { image: resolved(author.image) }) },
    series: post.series ?? null,
    featured: post.featured,
    unlisted: post.unlisted,
    translations: { ...post.translations },
    language: post.language ?? null,
  } satisfies UpdatePost;
}
