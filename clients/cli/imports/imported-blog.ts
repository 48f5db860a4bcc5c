import type { WrittenPost } from '../folder/output/write-post.ts';

/** Systems whose exports are known. */
export const sourceKinds = ['ghost', 'wordpress', 'medium', 'substack', 'hugo', 'jekyll'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** A post as its export has it. Addresses of images are those of the earlier site. */
export interface ImportedPost extends Omit<WrittenPost, 'content'> {
  /** What the slug is made of; empty: of the title. */
  readonly slug: string;
  readonly body: { readonly html: string } | { readonly markdown: string };
  /** What to tell about it, once its slug is known. */
  readonly remarks: readonly string[];
}

/** What an export says about the blog itself. */
export interface ImportedSettings {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly language?: string | undefined;
  readonly accentColor?: string | undefined;
  readonly navigation?: readonly { readonly label: string; readonly url: string }[] | undefined;
}

/** An export that is being read. */
export interface ImportSource {
  readonly settings: ImportedSettings;
  /** Address of the earlier site: links to it become links of the new one, and relative images are fetched from there. */
  readonly siteUrl: string | undefined;
  /** Addresses that redirect, beside those of posts. */
  readonly redirects: readonly { readonly from: string; readonly to: string }[];
  /** The posts, one by one: an export may have more than fits into memory. */
  posts(): AsyncIterable<ImportedPost>;
  /** Bytes of an image that the export itself has; null if it has none for this address. */
  imageAt(address: string): Promise<Uint8Array | null>;
}

/** A post with nothing but what every post has. */
export const barePost = {
  slug: '',
  type: 'post',
  status: 'published',
  date: undefined,
  tags: [],
  description: undefined,
  previewImage: undefined,
  canonicalUrl: undefined,
  cover: undefined,
  author: undefined,
  series: undefined,
  featured: false,
  unlisted: false,
  translations: {},
  oldAddresses: [],
  language: undefined,
  remarks: [],
} satisfies Omit<ImportedPost, 'title' | 'body'>;
