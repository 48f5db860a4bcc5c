/** Work of one kind that goes on side by side, up to a limit, each piece under a name. */
export interface Slots {
  readonly free: number;
  readonly idle: boolean;
  /** The first failure of any work: it was not expected, and nothing can be trusted to go on. */
  readonly failure: unknown;
  /** Of the work that is under way. */
  readonly names: readonly string[];
  start(name: string, work: Promise<void>): void;
}

export function createSlots(limit: number, onEnd: () => void): Slots {
  const busy = new Set<string>();
  let failure: unknown;
  return {
    get free() {
      return limit - busy.size;
    },
    get idle() {
      return busy.size === 0;
    },
    get failure() {
      return failure;
    },
    get names() {
      return [...busy];
    },
    start(name, work) {
      busy.add(name);
      work
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => {
          busy.delete(name);
          onEnd();
        });
    },
  };
}
