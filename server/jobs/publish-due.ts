import type { Services } from '../compose.ts';

/** Publishes scheduled posts that are due, including those that became due while the server was down. */
export async function publishDuePosts({ publication, log }: Services): Promise<void> {
  const published = await publication.publishDue();
  if (published > 0) log.info({ published }, 'scheduled posts published');
}
