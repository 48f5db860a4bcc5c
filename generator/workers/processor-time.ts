import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** The calling thread's Linux id; 0 on other systems, or if a sandbox hides it. */
export function currentThreadId(): number {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return 0;
  }
}

/** Processor time of a thread of this process in nanoseconds; null if the system does not report it. */
export function processorTime(thread: number): bigint | null {
  try {
    const [nanoseconds = ''] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ');
    return BigInt(nanoseconds);
  } catch {
    return null;
  }
}
