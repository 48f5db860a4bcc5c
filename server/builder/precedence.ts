/** Prioritizes among a builder's parallel rebuilds: a large rebuild gives way to small ones. */
export interface Precedence {
  /** Registers a rebuild. It counts as small until it gives way. */
  begin(): Place;
}

export interface Place {
  /** Resolves when the small rebuilds in progress have ended. From now on, no rebuild gives way to this one. */
  giveWay(): Promise<void>;
  end(): void;
}

/** A small rebuild delays large ones for this long at most: a longer one probably waits for the edge, not the CPU. */
const MAX_DELAY_MS = 250;

export function createPrecedence(): Precedence {
  const small = new Set<Promise<void>>();
  return {
    begin() {
      let end = () => {};
      const ended = new Promise<void>((resolve) => {
        const timer = setTimeout(() => end(), MAX_DELAY_MS);
        end = () => {
          clearTimeout(timer);
          small.delete(ended);
          resolve();
        };
      });
      small.add(ended);
      return {
        async giveWay() {
          end();
          await Promise.all(small);
        },
        end,
      };
    },
  };
}
