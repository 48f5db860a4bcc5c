import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { constants, getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { lowerThreadPriority, withoutFirstProcessor } from '../../../generator/workers/priority.ts';

const module = createRequire(import.meta.url).resolve('#dist/generator/workers/priority.js');

/** Reports the priority of the thread before and after it yields, and that of a thread started after that. */
const code = `
  const { readlinkSync } = require('node:fs');
  const { getPriority } = require('node:os');
  const { basename } = require('node:path');
  const { parentPort, workerData, Worker } = require('node:worker_threads');
  const own = () => getPriority(Number(basename(readlinkSync('/proc/thread-self'))));
  if (workerData.isChild) parentPort.postMessage(own());
  else import(workerData.module).then(({ lowerThreadPriority }) => {
    const before = own();
    lowerThreadPriority('requests');
    const child = new Worker(workerData.code, { eval: true, workerData: { isChild: true } });
    child.once('message', (ofChild) => parentPort.postMessage({ before, after: own(), ofChild }));
  });`;

/** Reports the processors that the thread and its child thread may use, and those of the whole process. */
const confined = `
  const { readFileSync } = require('node:fs');
  const { parentPort, workerData, Worker } = require('node:worker_threads');
  const own = (who) => /^Cpus_allowed_list:\\s*(\\S+)$/m.exec(readFileSync('/proc/' + who + '/status', 'utf8'))[1];
  if (workerData.isChild) parentPort.postMessage(own('thread-self'));
  else import(workerData.module).then(({ leaveOneProcessorFree }) => {
    leaveOneProcessorFree();
    const child = new Worker(workerData.code, { eval: true, workerData: { isChild: true } });
    child.once('message', (ofChild) => parentPort.postMessage({ own: own('thread-self'), ofChild, ofAll: own('self') }));
  });`;

it.each([
  ['0', ''],
  ['5', ''],
  ['0-1', '1'],
  ['0-3', '1-3'],
  ['2-3,8', '3,8'],
  ['0,2-5', '2-5'],
  ['', ''],
])('the processors %s without the first are %s', (processors, others) => {
  expect(withoutFirstProcessor(processors)).toBe(others);
});

if (process.platform === 'linux') {
  it('a thread that leaves a processor confines its child threads with it, and no others', async () => {
    const worker = new Worker(confined, { eval: true, workerData: { module, code: confined } });
    const [told] = await once(worker, 'message');
    const left = withoutFirstProcessor(told.ofAll) || told.ofAll;
    expect(told).toEqual({ own: left, ofChild: left, ofAll: told.ofAll });
    await worker.terminate();
  });

  it('a thread that lowers its priority lowers that of its child threads, and no others', async () => {
    const priority = getPriority();
    const worker = new Worker(code, { eval: true, workerData: { module, code } });
    const [told] = await once(worker, 'message');
    const lower = constants.priority.PRIORITY_BELOW_NORMAL;
    expect(told).toEqual({ before: priority, after: lower, ofChild: lower });
    expect(getPriority()).toBe(priority);
    await worker.terminate();
  });

  it('a process that lowers its priority does so for all of its threads, and is killed first when memory runs out', () => {
    const told = `
      const { readdirSync, readFileSync } = await import('node:fs');
      const { getPriority } = await import('node:os');
      const { lowerProcessPriority } = await import(${JSON.stringify(module)});
      lowerProcessPriority('builder');
      console.log(JSON.stringify({
        priorities: [...new Set(readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread))))],
        badness: readFileSync('/proc/self/oom_score_adj', 'utf8').trim(),
      }));`;
    const answer = execFileSync(process.execPath, ['--input-type=module', '-e', told], { encoding: 'utf8' });
    expect(JSON.parse(answer)).toEqual({ priorities: [constants.priority.PRIORITY_LOW], badness: '1000' });
  });

  it('the V8 threads lower their priority and leave a processor, and the threads that requests need do not', () => {
    const told = `
      const { readdirSync, readFileSync } = await import('node:fs');
      const { stat } = await import('node:fs/promises');
      const { getPriority } = await import('node:os');
      const { withoutFirstProcessor, lowerCompilerPriority } = await import(${JSON.stringify(module)});
      await stat('.');
      lowerCompilerPriority('requests');
      const read = (thread) => readFileSync('/proc/self/task/' + thread + '/status', 'utf8');
      const may = (thread) => /^Cpus_allowed_list:\\s*(\\S+)$/m.exec(read(thread))[1];
      const all = may(process.pid);
      const left = withoutFirstProcessor(all) || all;
      const threads = readdirSync('/proc/self/task').map((thread) => ({
        yields: getPriority(Number(thread)) > getPriority(process.pid),
        may: may(thread),
      }));
      console.log(JSON.stringify({
        yielding: threads.filter((thread) => thread.yields && thread.may === left).length,
        others: threads.filter((thread) => !thread.yields && thread.may === all).length,
        all: threads.length,
      }));`;
    const run = (...flags: string[]) =>
      JSON.parse(
        execFileSync(process.execPath, [...flags, '--input-type=module', '-e', told], { encoding: 'utf8' }),
      );
    const { yielding, others, all } = run('--single-threaded-gc');
    expect(yielding).toBe(4);
    // The main thread, and at least four that wait for the file system.
    expect(others).toBe(all - 4);
    expect(others).toBeGreaterThanOrEqual(5);
    const collecting = run();
    expect(collecting.others).toBe(collecting.all);
  });
} else {
  console.log('Priorities of threads are left out: only Linux has them.');
  it('a thread with a lower priority still makes progress', () =>
    expect(() => lowerThreadPriority('requests')).not.toThrow());
}
