/**
 * Milliseconds of CPU time that the work takes in this process. Unlike wall-clock time, it does not grow on a busy
 * machine.
 */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
