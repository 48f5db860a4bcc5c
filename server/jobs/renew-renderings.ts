import type { Services } from '../compose.ts';

/** Has posts rendered anew that an older version of the renderer has rendered, as after an update of Platen. */
export async function renewRenderings({ renderings, log }: Services): Promise<void> {
  const renewed = await renderings.renew();
  if (renewed > 0) log.info({ renewed }, 'posts rendered anew');
}
