/** Whose turn it is of the rebuilds that a builder works on side by side: a large one gives way to small ones. */
export interface Precedence {
  /** Notes that a rebuild begins. It is small until it gives way. */
  begin(): Turn;
}

export interface Turn {
  /** Resolves when the small rebuilds that are under way now have ended. From now on nobody gives way to this one. */
  giveWay(): Promise<void>;
  end(): void;
}

/** What has been under way for longer waits for an edge, say, and the processor would stand idle. */
const SMALL_MS = 250;

export function createPrecedence(): Precedence {
  const small = new Set<Promise<void>>();
  return {
    begin() {
      let end = () => {};
      const ended = new Promise<void>((resolve) => {
        const timer = setTimeout(() => end(), SMALL_MS);
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
