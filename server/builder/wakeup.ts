/** Wakes a loop that waits for work. A wakeup between two waits is not lost. */
export interface Wakeup {
  readonly wake: () => void;
  /** Resolves at the next wakeup, or after this many milliseconds. */
  wait(milliseconds: number): Promise<void>;
}

export function createWakeup(): Wakeup {
  let isPending = false;
  let resolveWait = () => {};
  return {
    wake() {
      isPending = true;
      resolveWait();
    },
    async wait(milliseconds) {
      if (!isPending) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          resolveWait = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isPending = false;
    },
  };
}
