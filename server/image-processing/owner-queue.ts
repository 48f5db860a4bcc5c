/** Runs jobs of many owners in parallel up to a limit, but only one job of each owner at a time. */
export interface OwnerQueue {
  /** Runs the work once a slot is free and no other work of that owner is running; first come, first served. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

export function createOwnerQueue(slots: number): OwnerQueue {
  const running = new Set<string>();
  let waiting: { readonly owner: string; readonly start: () => void }[] = [];

  function startWaiting(): void {
    const stillWaiting: typeof waiting = [];
    for (const job of waiting) {
      if (running.size < slots && !running.has(job.owner)) {
        running.add(job.owner);
        job.start();
      } else stillWaiting.push(job);
    }
    waiting = stillWaiting;
  }

  return {
    async run(owner, work) {
      await new Promise<void>((start) => {
        waiting.push({ owner, start });
        startWaiting();
      });
      try {
        return await work();
      } finally {
        running.delete(owner);
        startWaiting();
      }
    },
  };
}
