import type { RequestHandler } from 'express';
import type { Log } from '../runtime/log.ts';
import type { Alarm, Attention, Readiness } from './readiness.ts';

/** Blogs that an answer names of each kind. */
const NAMED = 20;

/** Whether the process answers at all. */
export const health: RequestHandler = (_req, res) => {
  res.json({ status: 'ok' });
};

/**
 * Whether the server can do its work: 200, or 503 where its database does not answer or blogs are not built. What needs
 * an operator and is no reason to send requests elsewhere is listed under `attention`.
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
    ...setAside.slice(0, NAMED).map(presentAlarm('set aside: builders died at it')),
    ...overdueRemovals.slice(0, NAMED).map(presentAlarm('what was deleted is still on the edge')),
  ],
});

const presentAlarm =
  (why: string) =>
  ({ blogId, since }: Alarm) => ({ blog_id: blogId, why, since });
