import { isDeepStrictEqual } from 'node:util';
import type { Post } from '../../../sdk/index.ts';
import type { FolderPost } from '../../folder/folder-post.ts';
import type { Part } from './digests.ts';

export interface Comparison {
  /** In what the post in Platen differs from the file. */
  readonly differences: readonly Part[];
  /** Addresses of images, by hash, that the equal text in Platen reveals. */
  readonly images: ReadonlyMap<string, string>;
}

/**
 * Compares a post in Platen with a file. What a file leaves open (its date, the description) may be anything. An image
 * that was never uploaded from here may have any address.
 */
export function comparePost(local: FolderPost, remote: Post, known: ReadonlyMap<string, string>): Comparison {
  const images = new Map<string, string>();
  const isSame = (text: string | undefined, other: string | null | undefined): boolean => {
    const found = matchImages(text ?? '', other ?? '', new Map([...known, ...images]));
    for (const [hash, address] of found ?? []) images.set(hash, address);
    return found !== null;
  };
  const equal: Partial<Record<Part, boolean>> = {
    title: local.title === remote.title,
    text: isSame(local.content, remote.content_md),
    tags: isDeepStrictEqual(local.tags, remote.tags),
    status: local.status === remote.status,
    date: isSameMoment(local.date, remote.published_at ?? remote.scheduled_at),
    description: local.description === undefined || local.description === remote.meta_description,
    'preview image': local.previewImage === undefined || isSame(local.previewImage, remote.og_image_url),
    cover:
      isSame(local.cover?.url, remote.cover_image?.url) &&
      (local.cover?.alt ?? '') === (remote.cover_image?.alt ?? ''),
    'canonical address': (local.canonicalUrl ?? null) === remote.canonical_url,
    author:
      (local.author?.name ?? null) === (remote.author?.name ?? null) &&
      isSame(local.author?.image, remote.author?.image),
    series: isSameSeries(local.series, remote.series),
    featured: local.featured === remote.featured,
    unlisted: local.unlisted === remote.unlisted,
    translations: isDeepStrictEqual(local.translations, remote.translations),
    language: (local.language ?? null) === remote.language,
    type: local.type === remote.type,
  };
  const differences = Object.entries(equal).flatMap(([part, isEqual]) => (isEqual ? [] : [part as Part]));
  return { differences, images };
}

const isSameMoment = (date: string | undefined, other: string | null): boolean =>
  date === undefined || (other !== null && Date.parse(date) === Date.parse(other));

const isSameSeries = (series: FolderPost['series'], other: Post['series']): boolean =>
  (series?.name ?? null) === (other?.name ?? null) &&
  (series?.part === undefined || series.part === other?.part);

const MARK = /platen-image:([\da-f]{64})/;

/**
 * Compares a text that has marks for images with one that has their addresses. Returns the addresses that are not known
 * yet, by hash; null if the texts differ otherwise.
 */
function matchImages(
  marked: string,
  text: string,
  known: ReadonlyMap<string, string>,
): Map<string, string> | null {
  const [first = '', ...rest] = marked.split(MARK);
  const found = new Map<string, string>();
  if (!text.startsWith(first)) return null;
  let at = first.length;
  for (let n = 0; n < rest.length; n += 2) {
    const [hash = '', next = ''] = [rest[n], rest[n + 1]];
    const address =
      known.get(hash) ?? found.get(hash) ?? /^https?:\/\/[^\s()<>"']+/.exec(text.slice(at, at + 2_048))?.[0];
    if (address === undefined || !text.startsWith(address, at)) return null;
    found.set(hash, address);
    at += address.length;
    if (!text.startsWith(next, at)) return null;
    at += next.length;
  }
  return at === text.length ? found : null;
}
