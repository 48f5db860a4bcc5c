import type { Services } from '../compose.ts';

/** Renders posts again that an older version of Platen rendered. */
export async function renewRenderings({ renderings, log }: Services): Promise<void> {
  const renewed = await renderings.renew();
  if (renewed > 0) log.info({ renewed }, 'posts rendered again');
}
