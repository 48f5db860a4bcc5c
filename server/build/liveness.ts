import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LockUnusable, tryLock } from '../runtime/lock.ts';

/**
 * Whether a builder is alive (it may have stalled), ended normally (it was told to stop, or its database failed), or
 * died: alone, or with the whole server.
 */
export type BuilderFate = 'alive' | 'ended' | 'died' | 'died with its server';

/** An id for a builder of this server. Builders with another server's id can only have died with that server. */
export const builderId = (server: string): string => `${server}.${randomUUID()}`;

const serverOf = (builder: string): string => builder.replace(/\..*$/, '');

/** Each builder keeps a file of its own locked as long as it lives. Others tell its fate from that. */
export interface Liveness {
  fateOf(otherBuilder: string): BuilderFate;
  /** Removes the file of a dead builder, once its death is recorded. */
  forget(deadBuilder: string): void;
  /** Removes the files of dead builders without leases. Skips young files, which may not be locked yet. */
  sweep(): void;
  /** Marks the normal end of this builder. */
  end(): void;
}

/** Age below which a file is kept, because its builder may not have locked it yet. */
const MIN_FILE_AGE_MS = 60_000;

export function startLiveness(folder: string, builder: string): Liveness {
  mkdirSync(folder, { recursive: true });
  const fileOf = (other: string) => join(folder, other);
  const hasDied = (other: string) => fateOfFile(fileOf(other)) === 'died';
  const forget = (other: string) => rmSync(fileOf(other), { force: true });
  const unlock = tryLock(fileOf(builder));
  return {
    fateOf(other) {
      const fate = fateOfFile(fileOf(other));
      return fate === 'died' && serverOf(other) !== serverOf(builder) ? 'died with its server' : fate;
    },
    forget,
    sweep() {
      for (const other of readdirSync(folder)) {
        const createdAt = statSync(fileOf(other), { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
        // Wall clock, like the file's time.
        if (Date.now() - createdAt > MIN_FILE_AGE_MS && hasDied(other)) forget(other);
      }
    },
    end() {
      // Remove before unlocking: an unlocked file means that its builder died.
      forget(builder);
      unlock?.();
    },
  };
}

/** A builder that ends normally removes its file. */
function fateOfFile(file: string): 'alive' | 'ended' | 'died' {
  if (!existsSync(file)) return 'ended';
  try {
    const unlock = tryLock(file, { mustExist: true });
    unlock?.();
    return unlock ? 'died' : 'alive';
  } catch (error) {
    if (!(error instanceof LockUnusable)) throw error;
    if (!existsSync(file)) return 'ended';
    // If the lock cannot be tested, treat the builder as alive: its leases expire.
    return error.isDamaged ? 'died' : 'alive';
  }
}
