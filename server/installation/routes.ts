import type { RequestHandler } from 'express';
import type { Log } from '../runtime/log.ts';
import type { Alarm, Attention, Readiness } from './readiness.ts';

/** Blogs listed in the response for each kind of alarm. */
const BLOGS_SHOWN = 20;

/** Liveness: the process responds. */
export const health: RequestHandler = (_req, res) => {
  res.json({ status: 'ok' });
};

/**
 * Readiness: 200, or 503 if the database does not respond or no builder runs. `attention` lists problems that need an
 * operator but are no reason to route requests elsewhere.
 */
export const readiness =
  ({ readiness, log }: { readonly readiness: Readiness; readonly log: Log }): RequestHandler =>
  async (_req, res) => {
    const attention = await readiness.attention().catch((error: unknown) => {
      log.error({ err: error }, 'the database does not answer');
      return null;
    });
    const builder = readiness.isBuilding();
    const isReady = attention !== null && builder;
    res
      .status(isReady ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({
        status: isReady ? 'ready' : 'not ready',
        database: attention === null ? 'does not answer' : 'ok',
        builder: builder ? 'ok' : 'is being started',
        ...(attention && { attention: presentAttention(attention) }),
      });
  };

const presentAttention = ({ setAside, overdueRemovals }: Attention) => ({
  blogs_set_aside: setAside.length,
  removals_overdue: overdueRemovals.length,
  blogs: [
    ...setAside.slice(0, BLOGS_SHOWN).map(presentAlarm('set aside: builders died at it')),
    ...overdueRemovals.slice(0, BLOGS_SHOWN).map(presentAlarm('what was deleted is still on the edge')),
  ],
});

const presentAlarm =
  (why: string) =>
  ({ blogId, since }: Alarm) => ({ blog_id: blogId, why, since });
