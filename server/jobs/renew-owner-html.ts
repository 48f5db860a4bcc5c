import type { Services } from '../compose.ts';

/** Makes the HTML of owners whole anew that an older version has made whole, as after an update of Platen. */
export async function renewOwnerHtml({ ownerHtmls, log }: Services): Promise<void> {
  const blogs = await ownerHtmls.renew();
  if (blogs > 0) log.info({ blogs }, 'HTML of owners made whole anew');
}
