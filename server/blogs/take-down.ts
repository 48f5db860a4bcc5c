import { DomainError } from '../runtime/errors.ts';

/** What an operator may keep from readers. */
export interface Removable {
  /** Since when it is taken down; null where readers may see it. */
  readonly takenDownAt: string | null;
  /** In words for its owner; null where it is not taken down. */
  readonly takenDownReason: string | null;
}

/** Throws `forbidden` for a blog or post that an operator has taken down. */
export function assertNotTakenDown(what: 'blog' | 'post', { takenDownAt, takenDownReason }: Removable): void {
  if (takenDownAt === null) return;
  throw new DomainError(
    'forbidden',
    `the operator of this server took this ${what} down (${takenDownReason}): you can edit it, but not publish, schedule or preview it`,
  );
}
