import type { Services } from '../compose.ts';

/** Publishes scheduled posts whose time has come, those included that the server has slept through. */
export async function publishDuePosts({ publication, log }: Services): Promise<void> {
  const published = await publication.publishDue();
  if (published > 0) log.info({ published }, 'scheduled posts published');
}
