/** Brings stored things up to date in the background, after an upgrade for example. */
export interface Renewal {
  /**
   * Renews everything that is outdated, one by one, after any renewal in progress. Tries everything, then throws the
   * first failure. Returns the number of things that changed.
   */
  renew(): Promise<number>;
  /** Stops a renewal after its current item, and resolves when it has stopped. The next start resumes it. */
  stop(): Promise<void>;
}

/**
 * `renewOne` returns whether the item changed. `outdated` yields each item once: a failed one waits for the next
 * renewal.
 */
export function createRenewal<T>(
  outdated: () => AsyncIterable<T>,
  renewOne: (item: T) => Promise<boolean>,
): Renewal {
  let current: Promise<unknown> = Promise.resolve();
  let stopped = false;

  async function renewAll(): Promise<number> {
    const failures: unknown[] = [];
    let renewed = 0;
    for await (const item of outdated()) {
      if (stopped) break;
      try {
        if (await renewOne(item)) renewed += 1;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return renewed;
  }

  return {
    renew() {
      const renewal = current.then(renewAll);
      current = renewal.catch(() => {});
      return renewal;
    },
    async stop() {
      stopped = true;
      await current;
    },
  };
}
