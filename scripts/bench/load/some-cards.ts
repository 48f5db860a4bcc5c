import type { CardPool } from '../../../generator/render/og-card/pool.ts';
import { benchPost } from '../bench-post.ts';

const CARDS = 60;

/** Cards in a second. */
export async function cardRate(pool: CardPool): Promise<number> {
  const started = performance.now();
  await Promise.all(Array.from({ length: CARDS }, (_, n) => pool.draw(cardOf(n))));
  return (CARDS * 1000) / (performance.now() - started);
}

function cardOf(number: number) {
  const { title } = benchPost(number);
  const date = '2026-01-01T00:00:00.000Z';
  return { title, blogName: 'A blog', host: 'blog.localhost', date, lang: null, accent: null };
}
