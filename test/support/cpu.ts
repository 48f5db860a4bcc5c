/**
 * Milliseconds of a processor that work takes in this process. Where the machine is busy with something else, they do
 * not grow as those on the clock do.
 */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
