/** Parallel work of one kind, up to a limit. Each piece has a name. */
export interface Slots {
  readonly free: number;
  readonly isIdle: boolean;
  /** The first rejection of any work. Work handles expected failures itself, so the builder must stop. */
  readonly failure: unknown;
  /** Names of the work in progress. */
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
    get isIdle() {
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
