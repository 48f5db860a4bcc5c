import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/** To whom work gives way: to those that answer requests, or to them and to the builder too. */
export type Superior = 'requests' | 'builder';

const priorities: Readonly<Record<Superior, number>> = {
  requests: constants.priority.PRIORITY_BELOW_NORMAL,
  builder: constants.priority.PRIORITY_LOW,
};

/**
 * Where processors are scarce, the thread that calls this, and every thread that it starts from then on, gives way.
 * Linux alone knows priorities of threads. There is no way back: a process may only
 * lower them.
 */
export function yieldThread(to: Superior): void {
  onLinux(() => setPriority(Number(basename(readlinkSync('/proc/thread-self'))), priorities[to]));
}

/**
 * The same for a whole process that does one kind of work, the threads that V8 has in it and what it starts included.
 * On Linux it is also the first to go where memory runs out.
 */
export function yieldProcess(to: Superior): void {
  setPriority(priorities[to]);
  onLinux(() => {
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), priorities[to]);
    writeFileSync('/proc/self/oom_score_adj', '1000');
  });
}

/** Without /proc, or where a sandbox forbids it, everything goes on as it would elsewhere. */
function onLinux(act: () => void): void {
  if (process.platform !== 'linux') return;
  try {
    act();
  } catch {}
}
