import { z } from 'zod';
import { timestamp } from '../wire/text.ts';
import { type Receipt, rebuildStatuses } from './rebuild.ts';

export const receipt = z
  .object({
    id: z.uuid(),
    blog_id: z.uuid(),
    status: z.enum(rebuildStatuses).meta({ example: 'live' }),
    files_written: z.int().meta({ example: 5 }),
    files_removed: z.int().meta({ example: 0 }),
    invalidated: z
      .int()
      .meta({ description: 'Number of addresses invalidated at the content delivery network.', example: 0 }),
    queued_at: timestamp,
    live_at: timestamp.nullable(),
    duration_ms: z.number().nullable().meta({ example: 84 }),
    steps: z.record(z.string(), z.number()).meta({
      description: 'Duration of each step in milliseconds.',
      example: { plan: 2, render: 31, apply: 12 },
    }),
    error: z.string().nullable().meta({ example: null }),
  })
  .meta({ id: 'Receipt' });

export const rebuildId = z
  .uuid()
  .optional()
  .describe('The rebuild that publishes the write; missing if readers cannot see a difference.');

export const presentRebuild = ({ rebuildId }: { rebuildId: string | null }): { rebuild_id?: string } =>
  rebuildId === null ? {} : { rebuild_id: rebuildId };

export const presentReceipt = (rebuild: Receipt): z.infer<typeof receipt> => ({
  id: rebuild.id,
  blog_id: rebuild.blogId,
  status: rebuild.status,
  files_written: rebuild.filesWritten,
  files_removed: rebuild.filesRemoved,
  invalidated: rebuild.invalidated,
  queued_at: rebuild.queuedAt,
  live_at: rebuild.liveAt,
  duration_ms: rebuild.liveAt === null ? null : Date.parse(rebuild.liveAt) - Date.parse(rebuild.queuedAt),
  steps: rebuild.steps,
  error: rebuild.error,
});
