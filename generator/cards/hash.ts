import { createHash } from 'node:crypto';
import type { Card } from '../page.ts';

/** Raise it when the same card would be drawn differently: every card then gets a new file name. */
const CARD_VERSION = 2;

/** A card's file name on the edge: 32 hexadecimal digits that depend on the post and on everything drawn. */
export function cardHash(postId: string, card: Card): string {
  const { title, blogName, host, date, lang, accent } = card;
  const drawn = [
    CARD_VERSION,
    postId,
    title,
    blogName,
    host,
    date,
    lang,
    ...(accent === null ? [] : [accent]),
  ];
  return createHash('sha256').update(JSON.stringify(drawn)).digest('hex').slice(0, 32);
}
