export const rebuildStatuses = ['queued', 'building', 'live', 'failed'] as const;
export type RebuildStatus = (typeof rebuildStatuses)[number];

/** What became of the writes that share a rebuild. */
export interface Receipt {
  readonly id: string;
  readonly blogId: string;
  readonly status: RebuildStatus;
  readonly filesWritten: number;
  readonly filesRemoved: number;
  /** Addresses that a content delivery network was told to forget. */
  readonly invalidated: number;
  readonly queuedAt: string;
  readonly liveAt: string | null;
  /** Milliseconds by step. */
  readonly steps: Readonly<Record<string, number>>;
  readonly error: string | null;
}
