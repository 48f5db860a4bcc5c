import { watch } from 'node:fs';

/** Milliseconds without a change before a run: editors write a file in several steps. */
const QUIET_MS = 150;

/**
 * Calls `run` after changes in a folder, and again for those that come meanwhile. Never twice at a time. Resolves when
 * the signal aborts and the last run is over.
 */
export async function watchFolder(
  folder: string,
  signal: AbortSignal,
  run: () => Promise<void>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isDirty = false;
  const start = () => {
    if (running !== undefined) return;
    isDirty = false;
    running = run().finally(() => {
      running = undefined;
      if (isDirty && !signal.aborted) start();
    });
  };
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    if (isIgnored(name)) return;
    isDirty = true;
    clearTimeout(timer);
    timer = setTimeout(start, QUIET_MS);
  });
  // A folder that vanishes while it is watched is one more change.
  watcher.on('error', () => {});
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  clearTimeout(timer);
  watcher.close();
  await running;
}

/** What is no part of a blog, such as the state of deploys. */
const isIgnored = (name: string | null): boolean =>
  name !== null && /(?:^|[\\/])(?:\.[^\\/]*|node_modules)(?:[\\/]|$)/.test(name);
