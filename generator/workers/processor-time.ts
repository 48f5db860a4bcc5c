import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** The id that Linux has for the thread that calls this; 0 on other systems, or where a sandbox hides it. */
export function ownThread(): number {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return 0;
  }
}

/** Nanoseconds for which a thread of this process has had a processor; null where the system does not tell. */
export function processorTime(thread: number): bigint | null {
  try {
    const [nanoseconds = ''] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ');
    return BigInt(nanoseconds);
  } catch {
    return null;
  }
}
