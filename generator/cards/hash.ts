import { createHash } from 'node:crypto';
import type { Card } from '../page.ts';

/** Raise it when the same card would be drawn differently: every card then gets a new file name. */
const CARD_VERSION = 2;

/** A card before its icon is loaded: pages name their card, and do not draw it. */
export type CardTexts = Omit<Card, 'icon'>;

/**
 * A card's file name on the edge: 32 hexadecimal digits that depend on its post or blog and on everything drawn.
 * `iconUrl` stands for the icon, because another image has another URL.
 */
export function cardHash(id: string, card: CardTexts, iconUrl: string | null = null): string {
  const { title, blogName, description, host, date, lang, accent } = card;
  const drawn = [
    CARD_VERSION,
    id,
    title,
    blogName,
    host,
    date,
    lang,
    ...(accent === null ? [] : [accent]),
    ...(description === null ? [] : [{ description }]),
    ...(iconUrl === null ? [] : [{ iconUrl }]),
  ];
  return createHash('sha256').update(JSON.stringify(drawn)).digest('hex').slice(0, 32);
}
