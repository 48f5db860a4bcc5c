import { createHash } from 'node:crypto';
import { DomainError } from '../runtime/errors.ts';
import type { Precondition } from '../runtime/precondition.ts';

/**
 * Entity tag `"<updatedAt>-<variant>"`. The time of the last change only grows, so it identifies a version; `variant`
 * covers what changes without a write. `If-Match` compares the version alone.
 */
export const etagOf = (updatedAt: string, variant = '0'): string =>
  `"${Date.parse(updatedAt).toString(36)}-${variant}"`;

/** Entity tag of a post. The variant is needed because cards are drawn and content is re-rendered without a write. */
export function etagOfPost(post: {
  readonly updated_at: string;
  readonly og_image_url: string | null;
  readonly content_html: string;
  readonly meta_description: string;
}): string {
  const variantSource = [post.og_image_url ?? '', post.meta_description, post.content_html].join('\0');
  return etagOf(post.updated_at, createHash('sha256').update(variantSource).digest('hex').slice(0, 12));
}

/**
 * Whether a list of tags (`If-None-Match`) contains `etag`, by weak comparison. A response without a tag never
 * matches.
 */
export const matchesEtag = (list: string | undefined, etag: string | undefined): boolean =>
  list !== undefined &&
  etag !== undefined &&
  (list.trim() === '*' || tagsIn(list).includes(etag.replaceAll('"', '')));

/** Checks `If-Match` before a change. */
export const assertCurrent =
  (ifMatch: string | undefined): Precondition =>
  ({ updatedAt }) => {
    if (ifMatch === undefined || ifMatch.trim() === '*') return;
    if (tagsIn(ifMatch).length === 0) {
      throw new DomainError(
        'bad_request',
        `If-Match: put the tag in double quotes, such as ${etagOf(updatedAt)}`,
      );
    }
    const etag = etagOf(updatedAt);
    const versionOf = (tag: string) => tag.replaceAll('"', '').split('-')[0];
    if (tagsIn(ifMatch).some((tag) => versionOf(tag) === versionOf(etag))) return;
    const message =
      `If-Match names another version: the current one is ${etag}, of ${updatedAt}. Read it again, then repeat your ` +
      'change';
    throw new DomainError('precondition_failed', message, { etag });
  };

const tagsIn = (list: string): string[] => [...list.matchAll(/"([^"]*)"/g)].map(([, tag]) => tag ?? '');
