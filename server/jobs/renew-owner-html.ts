import type { Services } from '../compose.ts';

/** Balances owner HTML again that an older version of Platen balanced. */
export async function renewOwnerHtml({ ownerHtmls, log }: Services): Promise<void> {
  const blogs = await ownerHtmls.renew();
  if (blogs > 0) log.info({ blogs }, 'owner HTML renewed');
}
