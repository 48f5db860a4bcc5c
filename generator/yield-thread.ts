import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/** To whom a thread gives way: to those that answer requests, or to them and to the builder too. */
const priorities = {
  requests: constants.priority.PRIORITY_BELOW_NORMAL,
  builder: constants.priority.PRIORITY_LOW,
} as const;

/**
 * Where processors are scarce, the thread that calls this, and every thread that it starts from then on, gives way.
 * Linux alone knows priorities of threads. There is no way back: a process may only
 * lower them.
 */
export function yieldThread(to: keyof typeof priorities): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, priorities[to]);
  } catch {
    // Without /proc, or where a sandbox forbids it, everything goes on as it would elsewhere.
  }
}
