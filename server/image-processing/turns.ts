/** Runs jobs of many owners in parallel up to a limit, but only one job of each owner at a time. */
export interface Turns {
  /** Runs the work once a slot is free and no other work of that owner is running; first come, first served. */
  take<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createTurns(atOnce: number): Turns {
  const running = new Set<string>();
  let waiting: { readonly name: string; readonly start: () => void }[] = [];

  function startWaiting(): void {
    const stillWaiting: typeof waiting = [];
    for (const turn of waiting) {
      if (running.size < atOnce && !running.has(turn.name)) {
        running.add(turn.name);
        turn.start();
      } else stillWaiting.push(turn);
    }
    waiting = stillWaiting;
  }

  return {
    async take(name, work) {
      await new Promise<void>((start) => {
        waiting.push({ name, start });
        startWaiting();
      });
      try {
        return await work();
      } finally {
        running.delete(name);
        startWaiting();
      }
    },
  };
}
