import type { Services } from '../compose.ts';

/** Makes image variants that are still due: after a failed attempt, or if the server stopped before it made them. */
export async function makeVariants({ imageVariants, log }: Services): Promise<void> {
  const made = await imageVariants.make();
  if (made > 0) log.info({ made }, 'image variants made');
}
