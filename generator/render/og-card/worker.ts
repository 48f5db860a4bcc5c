import { yieldThread } from '../../yield-thread.ts';

// Pages are there without their cards.
yieldThread('builder');

// What a thread of the pool runs: Piscina calls the default export.
export { drawCard as default } from './draw.ts';
