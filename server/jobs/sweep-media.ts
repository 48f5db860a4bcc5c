import type { Services } from '../compose.ts';

/** Takes images off the edge that were never finished, or whose blog was deleted. */
export const sweepMedia = ({ images }: Services): Promise<void> => images.sweep();
