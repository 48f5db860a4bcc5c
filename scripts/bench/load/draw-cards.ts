import { createCardPool } from '../../../generator/render/og-card/pool.ts';
import { cardRate } from './some-cards.ts';

/** A process that draws cards in one thread whenever it is asked to, and tells how many in a second. */
const pool = createCardPool({ threads: 1 });
// The thread starts with the first cards, and loads its fonts.
await cardRate(pool);
process.on('message', async () => process.send?.(await cardRate(pool)));
process.send?.('ready');
