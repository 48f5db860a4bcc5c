/** Requests that wait for the same event. */
export interface Waiters {
  /** Resolves at the next `wakeAll`, or after so many milliseconds. */
  sleep(milliseconds: number): Promise<void>;
  wakeAll(): void;
  /** How many sleep. One that timed out is no longer among them. */
  readonly count: number;
}

export function createWaiters(): Waiters {
  const sleeping = new Set<() => void>();
  return {
    sleep: (milliseconds) =>
      new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          sleeping.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, milliseconds);
        sleeping.add(wake);
      }),
    wakeAll() {
      for (const wake of [...sleeping]) wake();
    },
    get count() {
      return sleeping.size;
    },
  };
}
