import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
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
  onLinux(() => setPriority(Number(ownThread()), priorities[to]));
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

/**
 * Keeps the thread that calls this, and all that it starts from then on, off the first of the processors that it may
 * use, so that one is there for requests at any time. Where there is but one, it is shared.
 *
 * Node cannot set this: `taskset` does, which is part of every Linux (util-linux, BusyBox).
 */
export function leaveOneProcessor(): void {
  onLinux(() => confine(ownThread()));
}

/**
 * The threads in which V8 compiles yield, and leave one processor: they work for the builder as well, and must not take
 * its processor from the API meanwhile. Whoever needs the code goes on without it until it is there.
 * Where they collect garbage as well (without `--single-threaded-gc`), who collects would wait for them: nothing is done.
 */
export function yieldCompilers(to: Superior): void {
  if (!process.execArgv.includes('--single-threaded-gc')) return;
  onLinux(() => {
    // Nothing tells them from others but that Node starts them first, after the main thread and one that keeps time.
    const threads = readdirSync('/proc/self/task').sort((one, other) => Number(one) - Number(other));
    const compilers = threads.slice(2, 2 + V8_THREADS);
    for (const thread of compilers) setPriority(Number(thread), priorities[to]);
    for (const thread of compilers) confine(thread);
  });
}

/** As many as V8 has unless it is told otherwise (`--v8-pool-size`). */
const V8_THREADS = 4;

function confine(thread: string): void {
  const [, allowed] =
    /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(`/proc/self/task/${thread}/status`, 'utf8')) ?? [];
  const rest = withoutFirst(allowed ?? '');
  if (rest !== '') execFileSync('taskset', ['-pc', rest, thread], { stdio: 'ignore' });
}

/** A list of processors, as Linux writes it (`0-3,8`), without the first of them. */
export function withoutFirst(processors: string): string {
  const [first = '', ...others] = processors.split(',');
  const [from = '', to = from] = first.split('-');
  const next = Number(from) + 1;
  const left = next < Number(to) ? [`${next}-${to}`] : next === Number(to) ? [to] : [];
  return [...left, ...others].join(',');
}

function ownThread(): string {
  return basename(readlinkSync('/proc/thread-self'));
}

/** Without /proc, or where a sandbox forbids it, everything goes on as it would elsewhere. */
function onLinux(act: () => void): void {
  if (process.platform !== 'linux') return;
  try {
    act();
  } catch {}
}
