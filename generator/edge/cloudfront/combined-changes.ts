import type { KeyChanges } from './entries.ts';

/**
 * Combines changes that arrive during a write into the next one, so that `write` never runs beside itself. The returned
 * function resolves when its changes are written.
 */
export function combineChanges(
  write: (changes: KeyChanges) => Promise<void>,
): (changes: KeyChanges) => Promise<void> {
  let queued = new Map<string, string | null>();
  let nextFlush: Promise<void> | null = null;
  let inProgress: Promise<unknown> = Promise.resolve();

  async function flush(): Promise<void> {
    await inProgress;
    const changes = queued;
    queued = new Map();
    nextFlush = null;
    const done = write(changes);
    inProgress = done.catch(() => {});
    return done;
  }

  return async (changes) => {
    for (const [key, value] of changes) queued.set(key, value);
    nextFlush ??= flush();
    await nextFlush;
  };
}
