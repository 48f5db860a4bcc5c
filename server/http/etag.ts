import { createHash } from 'node:crypto';
import { DomainError } from '../runtime/errors.ts';

/**
 * Entity tags. A resource's moment of last change only ever grows, so it tells its states apart; `variant` tells apart
 * what may change without anybody having written. A condition looks at the state alone.
 */
export const etagOf = (updatedAt: string, variant = '0'): string =>
  `"${Date.parse(updatedAt).toString(36)}-${variant}"`;

/** The tag of a post as it is answered. Its card is drawn, and its content rendered anew, without a write. */
export function etagOfPost(post: {
  readonly updated_at: string;
  readonly og_image_url: string | null;
  readonly content_html: string;
  readonly meta_description: string;
}): string {
  const made = [post.og_image_url ?? '', post.meta_description, post.content_html].join('\0');
  return etagOf(post.updated_at, createHash('sha256').update(made).digest('hex').slice(0, 12));
}

/**
 * Whether a list of tags (`If-None-Match`) holds the tag of an answer, by the comparison that lets a weakened tag
 * count. An answer without a tag is held by none.
 */
export const holdsEtag = (list: string | undefined, etag: string | undefined): boolean =>
  list !== undefined &&
  etag !== undefined &&
  (list.trim() === '*' || tagsIn(list).includes(etag.replaceAll('"', '')));

/**
 * Checks a resource that is about to change. Throws `precondition_failed` if it is not in the state that is meant, and
 * `bad_request` for a header without a tag.
 */
export type AssertCurrent = (current: { readonly updatedAt: string }) => void;

export const assertCurrent =
  (ifMatch: string | undefined): AssertCurrent =>
  ({ updatedAt }) => {
    if (ifMatch === undefined || ifMatch.trim() === '*') return;
    if (tagsIn(ifMatch).length === 0) {
      throw new DomainError(
        'bad_request',
        `If-Match: put the tag in double quotes, such as ${etagOf(updatedAt)}`,
      );
    }
    const etag = etagOf(updatedAt);
    const stateOf = (tag: string) => tag.replaceAll('"', '').split('-')[0];
    if (tagsIn(ifMatch).some((tag) => stateOf(tag) === stateOf(etag))) return;
    const message =
      `If-Match names another version: the current one is ${etag}, of ${updatedAt}. Read it again, then repeat your ` +
      'change';
    throw new DomainError('precondition_failed', message, { etag });
  };

const tagsIn = (list: string): string[] => [...list.matchAll(/"([^"]*)"/g)].map(([, tag]) => tag ?? '');
