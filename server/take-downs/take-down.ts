import { DomainError } from '../runtime/errors.ts';

/** Take-down state of a blog or post. */
export interface TakeDownState {
  /** When it was taken down; null if readers may see it. */
  readonly takenDownAt: string | null;
  /** For the owner to read; null if it is not taken down. */
  readonly takenDownReason: string | null;
}

/** Throws `forbidden` for a blog or post that an operator has taken down. */
export function assertNotTakenDown(
  what: 'blog' | 'post',
  { takenDownAt, takenDownReason }: TakeDownState,
): void {
  if (takenDownAt === null) return;
  throw new DomainError(
    'forbidden',
    `the operator of this server took this ${what} down (${takenDownReason}): you can edit it, but not publish, schedule or preview it`,
  );
}
