import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Where processors are scarce, the thread that calls this, and every thread that it starts from then on, gives way to
 * those that answer requests. Linux alone knows priorities of threads. There is no way back: a process may only
 * lower them.
 */
export function yieldThread(): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without /proc, or where a sandbox forbids it, everything goes on as it would elsewhere.
  }
}
