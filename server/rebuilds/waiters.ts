/** Requests that wait for the same event. */
export interface Waiters {
  /** Resolves at the next `wakeAll`, or after `milliseconds`. */
  sleep(milliseconds: number): Promise<void>;
  wakeAll(): void;
  /** Number of sleepers, without those that timed out. */
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
