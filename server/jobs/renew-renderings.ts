import type { Services } from '../compose.ts';

/** Makes anew what an older version has made of posts and of owners' HTML, as after an update of Platen. */
export async function renewRenderings({ renderings, ownerHtmls, log }: Services): Promise<void> {
  const htmls = await ownerHtmls.renew();
  if (htmls > 0) log.info({ blogs: htmls }, 'HTML of owners made whole anew');
  const renewed = await renderings.renew();
  if (renewed > 0) log.info({ renewed }, 'posts rendered anew');
}
