import { z } from 'zod';
import { type Receipt, rebuildStatuses } from '../domain/rebuild.ts';
import { moment } from './text.ts';

export const receipt = z.object({
  id: z.uuid(),
  blog_id: z.uuid(),
  status: z.enum(rebuildStatuses),
  files_written: z.int(),
  files_removed: z.int(),
  /** Addresses that a content delivery network was told to forget. */
  invalidated: z.int(),
  queued_at: moment,
  live_at: moment.nullable(),
  duration_ms: z.number().nullable(),
  /** Milliseconds by step. */
  steps: z.record(z.string(), z.number()),
  error: z.string().nullable(),
});

/** The rebuild that carries a write to the edge; missing where readers cannot see a difference. */
export const rebuildId = z.uuid().optional();

export const presentRebuild = ({ rebuildId }: { rebuildId: string | null }): { rebuild_id?: string } =>
  rebuildId === null ? {} : { rebuild_id: rebuildId };

export const presentReceipt = (rebuild: Receipt): z.infer<typeof receipt> => ({
  id: rebuild.id,
  blog_id: rebuild.blogId,
  status: rebuild.status,
  files_written: rebuild.filesWritten,
  files_removed: rebuild.filesRemoved,
  invalidated: 0,
  queued_at: rebuild.queuedAt,
  live_at: rebuild.liveAt,
  duration_ms: rebuild.liveAt === null ? null : Date.parse(rebuild.liveAt) - Date.parse(rebuild.queuedAt),
  steps: rebuild.steps,
  error: rebuild.error,
});
