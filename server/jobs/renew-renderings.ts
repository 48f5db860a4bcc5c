import type { Services } from '../compose.ts';

/** Renders the posts anew that an older version has rendered, as after an update of Platen. */
export async function renewRenderings({ renderings, log }: Services): Promise<void> {
  const renewed = await renderings.renew();
  if (renewed > 0) log.info({ renewed }, 'posts rendered anew');
}
