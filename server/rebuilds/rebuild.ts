export const rebuildStatuses = ['queued', 'building', 'live', 'failed'] as const;
export type RebuildStatus = (typeof rebuildStatuses)[number];

/** Result of a rebuild, shared by all writes that it publishes. */
export interface Receipt {
  readonly id: string;
  readonly blogId: string;
  readonly status: RebuildStatus;
  readonly filesWritten: number;
  readonly filesRemoved: number;
  /** Number of addresses invalidated at the CDN. */
  readonly invalidated: number;
  readonly queuedAt: string;
  readonly liveAt: string | null;
  /** Duration of each step in milliseconds. */
  readonly steps: Readonly<Record<string, number>>;
  readonly error: string | null;
}
