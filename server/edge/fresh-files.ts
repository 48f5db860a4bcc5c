import { lstatSync, type Stats } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { thisTurn } from '../runtime/event-loop-tick.ts';
import { type NoFile, openFile, readWhole } from './open-file.ts';

/** Files that are asked for again and again, kept in memory as what was made of their bytes. */
export interface FreshFiles<T> {
  /**
   * What the file is now: at once where it has not changed since it was read. `too large` where it is a file that is
   * not to be kept in memory. Nothing is kept of what is not there, which anybody may ask for.
   */
  get(path: string): T | Missed | Promise<T | Missed>;
  /** Bytes that are held in memory. */
  readonly held: number;
}

export type Missed = NoFile | 'too large';

export interface FreshFilesOptions<T> {
  /** Of all files together, what they have grown by counted. */
  readonly maxBytes: number;
  readonly maxFileBytes: number;
  /**
   * Makes of a version what is kept, or null where it is good for nothing. It may tell later by how many bytes that
   * has grown.
   */
  readonly make: (file: { path: string; bytes: Buffer; stats: Stats }, grow: Grow) => T | null;
}

export type Grow = (bytes: number) => void;

interface Kept<T> {
  readonly bytes: Buffer;
  readonly value: T;
  /** What the file was when it was read. */
  readonly state: Stats;
  /** Whether a later version would have another state: not where a file system's clock has not moved on yet. */
  readonly settled: boolean;
  readonly size: number;
  /** The turn in which it was looked at last. */
  lookedIn: number;
}

interface ReadFile {
  readonly stats: Stats;
  /** A moment before it was opened. */
  readonly opened: number;
  readonly bytes: Buffer;
}

interface Reading<T> {
  readonly turn: number;
  readonly found: Promise<T | Missed>;
}

/** What a file costs beside its bytes: its path, its headers, and the objects around them. */
const OVERHEAD_BYTES = 4_096;
/** More than file systems and kernels let pass between two times that they tell apart. */
const TICK_MS = 20;

/**
 * A file that is kept is looked at once in each turn of the event loop in which it is asked for, and synchronously: a
 * look at what the kernel has in memory takes 2 microseconds, and by way of a thread twenty times that.
 */
export function createFreshFiles<T extends object>({
  maxBytes,
  maxFileBytes,
  make,
}: FreshFilesOptions<T>): FreshFiles<T> {
  const files = new LRUCache<string, Kept<T>>({ maxSize: maxBytes, sizeCalculation: ({ size }) => size });
  const readings = new Map<string, Reading<T>>();

  async function read(path: string, turn: number): Promise<T | Missed> {
    // By the wall clock, for it is compared with a file's time.
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
      // Who asks in the same turn gets the same; who asks later may know of a later version.
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
