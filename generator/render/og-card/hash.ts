import { createHash } from 'node:crypto';
import type { Card } from '../../site.ts';

/** Raised whenever the same card would be drawn differently: every card then gets a new file name. */
const CARD_VERSION = 1;

/** Names a card on the edge: 32 hexadecimal digits over the post and all that is drawn. */
export function cardHash(postId: string, card: Card): string {
  const drawn = [CARD_VERSION, postId, card.title, card.blogName, card.host, card.date, card.lang];
  return createHash('sha256').update(JSON.stringify(drawn)).digest('hex').slice(0, 32);
}
