/** Wakes a loop that waits for work. A wakeup between two waits is not lost. */
export interface Bell {
  readonly ring: () => void;
  /** Resolves at the next wakeup, or after so many milliseconds. */
  wait(milliseconds: number): Promise<void>;
}

export function createBell(): Bell {
  let rung = false;
  let answer = () => {};
  return {
    ring() {
      rung = true;
      answer();
    },
    async wait(milliseconds) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          answer = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rung = false;
    },
  };
}
