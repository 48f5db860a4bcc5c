/** A door at which work waits until a test opens it. */
export interface Door {
  /** Resolves once work waits at the door. */
  readonly reached: Promise<void>;
  /** Resolves once the door is open. */
  pass(): Promise<void>;
  open(): void;
}

export function createDoor(): Door {
  let arrive = () => {};
  let open = () => {};
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    reached,
    pass() {
      arrive();
      return opened;
    },
    open,
  };
}

/** A clock that stands still until it is moved on. */
export function handClock(): { now(): string; moveOn(milliseconds: number): void } {
  let moment = Date.UTC(2026, 0, 1);
  return {
    now: () => new Date(moment).toISOString(),
    moveOn(milliseconds) {
      moment += milliseconds;
    },
  };
}
