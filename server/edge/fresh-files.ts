import { lstatSync, type Stats } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { thisTurn } from '../runtime/event-loop-tick.ts';
import { type NoFile, openFile, readWhole } from './open-file.ts';

/** Cache of values derived from files, which is never stale: each access checks the file's metadata. */
export interface FreshFiles<T> {
  /**
   * The value of the current file; synchronous if the file has not changed since it was read. `too large` if it exceeds
   * `maxFileBytes`. Misses are not cached, because clients can request any number of missing paths.
   */
  get(path: string): T | Missed | Promise<T | Missed>;
  /** Bytes in the cache. */
  readonly held: number;
}

export type Missed = NoFile | 'too large';

export interface FreshFilesOptions<T> {
  /** Cache budget in bytes, compressed variants included. */
  readonly maxBytes: number;
  readonly maxFileBytes: number;
  /** Derives the value of a file version, or null if the file is invalid. It calls `grow` if the value grows later. */
  readonly make: (file: { path: string; bytes: Buffer; stats: Stats }, grow: Grow) => T | null;
}

export type Grow = (bytes: number) => void;

interface Kept<T> {
  readonly bytes: Buffer;
  readonly value: T;
  /** Metadata of the file when it was read. */
  readonly state: Stats;
  /** Whether any later write must change the metadata. False if the file is so new that its timestamps could repeat. */
  readonly settled: boolean;
  readonly size: number;
  /** Event-loop tick of the last metadata check. */
  lookedIn: number;
}

interface ReadFile {
  readonly stats: Stats;
  /** Wall-clock time just before it was opened, in milliseconds. */
  readonly opened: number;
  readonly bytes: Buffer;
}

interface Reading<T> {
  readonly turn: number;
  readonly found: Promise<T | Missed>;
}

/** Memory overhead of a cached file: its path, headers and objects. */
const OVERHEAD_BYTES = 4_096;
/** Longer than the timestamp resolution of file systems and kernels. */
const TICK_MS = 20;

/**
 * A cached file's metadata is checked once in each event-loop tick that requests it, synchronously: an `lstat` from the
 * kernel's cache takes 2 microseconds, through the thread pool twenty times as long.
 */
export function createFreshFiles<T extends object>({
  maxBytes,
  maxFileBytes,
  make,
}: FreshFilesOptions<T>): FreshFiles<T> {
  const files = new LRUCache<string, Kept<T>>({ maxSize: maxBytes, sizeCalculation: ({ size }) => size });
  const readings = new Map<string, Reading<T>>();

  async function read(path: string, turn: number): Promise<T | Missed> {
    // Wall clock, because it is compared with a file timestamp.
    const opened = Date.now();
    const file = await openFile(path);
    if (typeof file === 'string') {
      files.delete(path);
      return file;
    }
    try {
      if (file.stats.size <= maxFileBytes)
        return keep(path, turn, { stats: file.stats, opened, bytes: await readWhole(file) });
      files.delete(path);
      return 'too large';
    } finally {
      await file.handle.close();
    }
  }

  function keep(path: string, turn: number, { stats, opened, bytes }: ReadFile): T | Missed {
    const before = files.peek(path);
    const value =
      before && isSame(before.state, stats) && before.bytes.equals(bytes)
        ? before.value
        : make({ path, bytes, stats }, (by) => grow(path, value, by));
    if (value === null) {
      files.delete(path);
      return 'nothing';
    }
    const size = before?.value === value ? before.size : OVERHEAD_BYTES + bytes.length;
    const settled = opened - stats.ctimeMs > TICK_MS;
    files.set(path, { bytes, value, state: stats, settled, size, lookedIn: turn });
    return value;
  }

  function grow(path: string, value: T | null, by: number): void {
    const file = files.peek(path);
    if (file?.value === value) files.set(path, { ...file, size: file.size + by });
  }

  return {
    get(path) {
      const turn = thisTurn();
      const file = files.get(path);
      if (file?.lookedIn === turn) return file.value;
      if (file?.settled && isSame(file.state, look(path))) {
        file.lookedIn = turn;
        return file.value;
      }
      // Requests in the same tick share a read. Later ones must not: their client may know of a newer version.
      const underWay = readings.get(path);
      if (underWay?.turn === turn) return underWay.found;
      const found = read(path, turn).finally(() => {
        if (readings.get(path)?.found === found) readings.delete(path);
      });
      readings.set(path, { turn, found });
      return found;
    },
    get held() {
      return files.calculatedSize;
    },
  };
}

function look(path: string): Stats | undefined {
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
