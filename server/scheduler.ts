import cron, { type Logger } from 'node-cron';
import type { Services } from './compose.ts';
import { jobs } from './jobs.ts';
import type { Log } from './runtime/log.ts';

/**
 * Starts the scheduler. A job that fails is logged and runs again at its next time. Returns a function that stops
 * all.
 */
export function startScheduler(services: Services): () => Promise<void> {
  const tasks = jobs.map(({ name, schedule, run }) =>
    cron.schedule(
      schedule,
      () =>
        run(services).catch((error: unknown) => services.log.error({ err: error, job: name }, 'job failed')),
      { timezone: 'UTC', noOverlap: true, name, logger: cronLogger(services.log, name) },
    ),
  );
  let restarted = Promise.resolve();
  // After the wall clock is set back, each task still waits for its old next run. A restart computes it again.
  const restart = async () => {
    for (const task of tasks) {
      await task.stop();
      await task.start();
    }
  };
  const watch = onClockSetBack(() => {
    restarted = restarted
      .then(restart)
      .catch((error: unknown) => services.log.error({ err: error }, 'could not restart the jobs'));
  });
  return async () => {
    clearInterval(watch);
    await restarted;
    for (const task of tasks) await task.destroy();
  };
}

/** Logger of node-cron itself, for runs that it missed or skipped. */
const cronLogger = (log: Log, job: string): Logger => ({
  info: (message) => log.info({ job }, message),
  // Only debug: a run skipped because the one before still runs, or missed on a busy machine, comes again by itself.
  warn: (message) => log.debug({ job }, message),
  error: (message, err) => log.error({ err: message instanceof Error ? message : err, job }, String(message)),
  debug: (message) => log.debug({ job }, String(message)),
});

const CLOCK_POLL_MS = 1_000;

/** Calls back whenever the wall clock is set back. */
function onClockSetBack(onSetBack: () => void): NodeJS.Timeout {
  let latest = Date.now();
  return setInterval(() => {
    const now = Date.now();
    if (now < latest) onSetBack();
    latest = now;
  }, CLOCK_POLL_MS).unref();
}
