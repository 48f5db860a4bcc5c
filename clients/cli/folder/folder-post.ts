import type { PostStatus } from './front-matter/fields.ts';

/** A post that a file of a folder is, as it will be sent. */
export interface FolderPost {
  /** Path of its file, relative to the folder. */
  readonly file: string;
  readonly slug: string;
  readonly type: 'post' | 'page';
  readonly title: string;
  /** Markdown. Images of the folder are named `platen-image:<hash>` until they have an address. */
  readonly content: string;
  readonly status: PostStatus;
  /** When it is or was published, in ISO 8601 and UTC; undefined: when it is sent. */
  readonly date: string | undefined;
  readonly tags: readonly string[];
  readonly description: string | undefined;
  readonly previewImage: string | undefined;
  readonly canonicalUrl: string | undefined;
  readonly cover: { readonly url: string; readonly alt: string } | undefined;
  readonly author: { readonly name: string; readonly url?: string; readonly image?: string } | undefined;
  readonly series: { readonly name: string; readonly part?: number } | undefined;
  readonly featured: boolean;
  readonly unlisted: boolean;
  readonly translations: Readonly<Record<string, string>>;
  /** Language tag; undefined: found out from the text. */
  readonly language: string | undefined;
  /** Paths that redirect to it. */
  readonly oldAddresses: readonly string[];
}

/** Stands for the address of an image that is not uploaded yet. */
export const imageMark = (hash: string): string => `platen-image:${hash}`;

const MARK = /platen-image:([\da-f]{64})/g;

/** Hashes of the images that a text names. */
export const imagesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(MARK)].map(([, hash = '']) => hash)),
];

/** A text with the addresses of its images. */
export const withImages = (text: string, addresses: ReadonlyMap<string, string>): string =>
  text.replace(MARK, (mark, hash: string) => addresses.get(hash) ?? mark);
