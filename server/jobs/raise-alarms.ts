import type { Services } from '../compose.ts';

/** Tells the log what an operator should look at. That a blog was set aside, the builder says when it happens. */
export async function raiseAlarms({ readiness, log }: Services): Promise<void> {
  const { overdueRemovals } = await readiness.attention();
  for (const { blogId, since } of overdueRemovals) {
    log.error({ blogId, since }, 'what was deleted is still on the edge, and its removal is tried again');
  }
}
