import { createHash } from 'node:crypto';
import type { FolderPost } from '../../folder/folder-post.ts';

/** Parts of a post that are compared on their own, so that a plan can say what changed. */
export const parts = [
  'title',
  'text',
  'tags',
  'status',
  'date',
  'description',
  'preview image',
  'cover',
  'canonical address',
  'author',
  'series',
  'featured',
  'unlisted',
  'translations',
  'language',
  'type',
] as const;
export type Part = (typeof parts)[number];

/** Digest of each part that a post has; the others are left out. */
export type Digests = Readonly<Partial<Record<Part, string>>>;

export function digestsOf(post: FolderPost): Digests {
  const values: Record<Part, unknown> = {
    title: post.title,
    text: post.content,
    tags: post.tags.length > 0 ? post.tags : undefined,
    status: post.status,
    date: post.date,
    description: post.description,
    'preview image': post.previewImage,
    cover: post.cover,
    'canonical address': post.canonicalUrl,
    author: post.author,
    series: post.series,
    featured: post.featured || undefined,
    unlisted: post.unlisted || undefined,
    translations: Object.keys(post.translations).length > 0 ? post.translations : undefined,
    language: post.language,
    type: post.type === 'page' ? post.type : undefined,
  };
  const digests: Partial<Record<Part, string>> = {};
  for (const part of parts) {
    if (values[part] !== undefined) digests[part] = digestOf(values[part]);
  }
  return digests;
}

/** Enough to tell versions of one part apart. */
const DIGEST_LENGTH = 16;

export const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, DIGEST_LENGTH);

/** The parts in which two versions differ. A scheduled post that was published is as it was meant to be. */
export const differences = (before: Digests, after: Digests): Part[] =>
  parts.filter((part) => before[part] !== after[part]);
