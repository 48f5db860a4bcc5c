import { countFormerSlugs } from '../addresses/redirects.ts';
import type { Db } from '../database/database.ts';
import { DomainError } from '../runtime/errors.ts';
import { MAX_REDIRECTS } from './redirect.ts';
import { countRedirects } from './store.ts';

/**
 * Throws `forbidden` if a blog has too many redirects: those that its owner has set and the former slugs of its posts,
 * which are redirects on the edge as well.
 */
export async function assertRedirectsWithinLimit(tx: Db, blogId: string): Promise<void> {
  const redirects = (await countRedirects(tx, blogId)) + (await countFormerSlugs(tx, blogId));
  if (redirects <= MAX_REDIRECTS) return;
  const reason = `a blog can have at most ${MAX_REDIRECTS} redirects, with the former slugs of its posts`;
  throw new DomainError('forbidden', reason);
}
