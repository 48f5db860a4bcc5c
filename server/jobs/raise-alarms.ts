import type { Services } from '../compose.ts';

/** Logs overdue removals for the operator. The builder itself logs when it sets a blog aside. */
export async function raiseAlarms({ readiness, log }: Services): Promise<void> {
  const { overdueRemovals } = await readiness.attention();
  for (const { blogId, since } of overdueRemovals) {
    log.error({ blogId, since }, 'deleted content is still on the edge; its removal is being retried');
  }
}
