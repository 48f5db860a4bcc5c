import type { Services } from '../compose.ts';

/** Removes orphaned media from the edge: files of unfinished uploads, and of deleted images and blogs. */
export const removeOrphanedMedia = ({ images }: Services): Promise<void> => images.removeOrphans();
