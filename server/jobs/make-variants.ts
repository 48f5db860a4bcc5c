import type { Services } from '../compose.ts';

/** Has variants made of images where a try has failed before, or the server has ended before it came to it. */
export async function makeVariants({ imageVariants, log }: Services): Promise<void> {
  const made = await imageVariants.make();
  if (made > 0) log.info({ made }, 'variants of images made');
}
