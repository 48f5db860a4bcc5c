import { lstatSync, type Stats } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { currentTick } from '../runtime/event-loop-tick.ts';
import { type NoFile, openFile, readWhole } from './open-file.ts';

/** Cache of values derived from files, which is never stale: each access checks the file's metadata. */
export interface FileCache<T> {
  /**
   * The value of the current file; synchronous if the file has not changed since it was read. `too large` if it
   * exceeds `maxFileBytes`. Misses are not cached, because clients can request any number of missing paths.
   */
  get(path: string): T | Miss | Promise<T | Miss>;
  /** Bytes in the cache. */
  readonly sizeBytes: number;
}

export type Miss = NoFile | 'too large';

export interface FileCacheOptions<T> {
  /** Cache budget in bytes, compressed variants included. */
  readonly maxBytes: number;
  readonly maxFileBytes: number;
  /**
   * Derives the value of a file version, or null if the file is invalid. It calls `grow` if the value grows later.
   */
  readonly derive: (file: { path: string; bytes: Buffer; stats: Stats }, grow: Grow) => T | null;
}

export type Grow = (bytes: number) => void;

interface CachedFile<T> {
  readonly bytes: Buffer;
  readonly value: T;
  /** Metadata of the file when it was read. */
  readonly stats: Stats;
  /**
   * Whether any later write must change the metadata. False if the file is so new that its timestamps could repeat.
   */
  readonly isStable: boolean;
  readonly size: number;
  /** Event-loop tick of the last metadata check. */
  checkedInTick: number;
}

interface ReadFile {
  readonly stats: Stats;
  /** Wall-clock time just before it was opened, in milliseconds. */
  readonly openedAt: number;
  readonly bytes: Buffer;
}

interface PendingRead<T> {
  readonly tick: number;
  readonly result: Promise<T | Miss>;
}

/** Memory overhead of a cached file: its path, headers and objects. */
const OVERHEAD_BYTES = 4_096;
/** Longer than the timestamp resolution of file systems and kernels. */
const TIMESTAMP_RESOLUTION_MS = 20;

/**
 * A cached file's metadata is checked once in each event-loop tick that requests it, synchronously: an `lstat` from
 * the kernel's cache takes 2 microseconds, through the thread pool twenty times as long.
 */
export function createFileCache<T extends object>({
  maxBytes,
  maxFileBytes,
  derive,
}: FileCacheOptions<T>): FileCache<T> {
  const files = new LRUCache<string, CachedFile<T>>({
    maxSize: maxBytes,
    sizeCalculation: ({ size }) => size,
  });
  const pendingReads = new Map<string, PendingRead<T>>();

  async function read(path: string, tick: number): Promise<T | Miss> {
    // Wall clock, because it is compared with a file timestamp.
    const opened = Date.now();
    const file = await openFile(path);
    if (typeof file === 'string') {
      files.delete(path);
      return file;
    }
    try {
      if (file.stats.size <= maxFileBytes)
        return store(path, tick, { stats: file.stats, openedAt: opened, bytes: await readWhole(file) });
      files.delete(path);
      return 'too large';
    } finally {
      await file.handle.close();
    }
  }

  function store(path: string, tick: number, { stats, openedAt, bytes }: ReadFile): T | Miss {
    const before = files.peek(path);
    const value =
      before && isSame(before.stats, stats) && before.bytes.equals(bytes)
        ? before.value
        : derive({ path, bytes, stats }, (by) => grow(path, value, by));
    if (value === null) {
      files.delete(path);
      return 'nothing';
    }
    const size = before?.value === value ? before.size : OVERHEAD_BYTES + bytes.length;
    const settled = openedAt - stats.ctimeMs > TIMESTAMP_RESOLUTION_MS;
    files.set(path, { bytes, value, stats, isStable: settled, size, checkedInTick: tick });
    return value;
  }

  function grow(path: string, value: T | null, by: number): void {
    const file = files.peek(path);
    if (file?.value === value) files.set(path, { ...file, size: file.size + by });
  }

  return {
    get(path) {
      const tick = currentTick();
      const file = files.get(path);
      if (file?.checkedInTick === tick) return file.value;
      if (file?.isStable && isSame(file.stats, statNow(path))) {
        file.checkedInTick = tick;
        return file.value;
      }
      // Requests in the same tick share a read. Later ones must not: their client may know of a newer version.
      const pending = pendingReads.get(path);
      if (pending?.tick === tick) return pending.result;
      const found = read(path, tick).finally(() => {
        if (pendingReads.get(path)?.result === found) pendingReads.delete(path);
      });
      pendingReads.set(path, { tick, result: found });
      return found;
    },
    get sizeBytes() {
      return files.calculatedSize;
    },
  };
}

function statNow(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

const isSame = (before: Stats, now: Stats | undefined): boolean =>
  now !== undefined &&
  before.ino === now.ino &&
  before.size === now.size &&
  before.mtimeMs === now.mtimeMs &&
  before.ctimeMs === now.ctimeMs;
