import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/** What has priority over the work: request handling alone, or request handling and the builder. */
export type YieldTo = 'requests' | 'builder';

const priorities: Readonly<Record<YieldTo, number>> = {
  requests: constants.priority.PRIORITY_BELOW_NORMAL,
  builder: constants.priority.PRIORITY_LOW,
};

/**
 * Lowers the priority of the calling thread, and of every thread that it starts from then on. Only Linux has priorities
 * per thread. This cannot be undone: an unprivileged process may only lower them.
 */
export function lowerThreadPriority(to: YieldTo): void {
  tryOnLinux(() => setPriority(Number(currentThread()), priorities[to]));
}

/**
 * The same for a whole process that does one kind of work, with its V8 threads and its child processes. On Linux it
 * also becomes the out-of-memory killer's first candidate.
 */
export function lowerProcessPriority(to: YieldTo): void {
  setPriority(priorities[to]);
  tryOnLinux(() => {
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), priorities[to]);
    writeFileSync('/proc/self/oom_score_adj', '1000');
  });
}

/**
 * Keeps the calling thread, and every thread that it starts from then on, off its first allowed processor, so that one
 * processor is always free for requests. A single processor stays shared.
 *
 * Node has no call for this. `taskset` does it, which is part of every Linux (util-linux, BusyBox).
 */
export function leaveOneProcessorFree(): void {
  tryOnLinux(() => excludeFirstProcessor(currentThread()));
}

/**
 * Lowers the priority of V8's compiler threads and keeps them off the first processor: they also compile for the
 * builder, and must not take that processor from the API. Code runs unoptimised until they are done.
 * Does nothing without `--single-threaded-gc`: these threads then collect garbage too, and the main thread would wait
 * for them.
 */
export function lowerCompilerPriority(to: YieldTo): void {
  if (!process.execArgv.includes('--single-threaded-gc')) return;
  tryOnLinux(() => {
    // Only their position identifies them: Node starts them first, after the main thread and a timer thread.
    const threads = readdirSync('/proc/self/task').sort((one, other) => Number(one) - Number(other));
    const compilers = threads.slice(2, 2 + V8_THREADS);
    for (const thread of compilers) setPriority(Number(thread), priorities[to]);
    for (const thread of compilers) excludeFirstProcessor(thread);
  });
}

/** V8's default pool size (`--v8-pool-size`). */
const V8_THREADS = 4;

function excludeFirstProcessor(thread: string): void {
  const [, allowed] =
    /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(`/proc/self/task/${thread}/status`, 'utf8')) ?? [];
  const rest = withoutFirstProcessor(allowed ?? '');
  if (rest !== '') execFileSync('taskset', ['-pc', rest, thread], { stdio: 'ignore' });
}

/** A Linux processor list (`0-3,8`) without its first processor. */
export function withoutFirstProcessor(processors: string): string {
  const [first = '', ...others] = processors.split(',');
  const [from = '', to = from] = first.split('-');
  const next = Number(from) + 1;
  const left = next < Number(to) ? [`${next}-${to}`] : next === Number(to) ? [to] : [];
  return [...left, ...others].join(',');
}

function currentThread(): string {
  return basename(readlinkSync('/proc/thread-self'));
}

/** Does nothing on other systems, and ignores a missing or forbidden /proc. */
function tryOnLinux(act: () => void): void {
  if (process.platform !== 'linux') return;
  try {
    act();
  } catch {}
}
