/** Whose turn a piece of work takes: an owner's, or nobody's, which comes only while no owner waits. */
export type Share = { readonly owner: string } | 'background';

/** An owner has so much waiting already that more would only pile up. */
export class TooMuchWaiting extends Error {
  override readonly name = 'TooMuchWaiting';
}

export interface FairQueueOptions {
  /** How many pieces of work run at once. */
  readonly slots: number;
  /** How many may wait for one owner (those that run not counted). */
  readonly waitingPerOwner: number;
}

/**
 * Has owners take turns, however much one of them asks for: each free slot goes to the owner whose turn was longest
 * ago, and to the oldest piece of work of theirs.
 */
export interface FairQueue {
  /** Settles as the work does. Rejects with `TooMuchWaiting`, the work not begun, over an owner's limit. */
  run<T>(share: Share, work: () => Promise<T>): Promise<T>;
  /** Resolves once nothing runs or waits. */
  idle(): Promise<void>;
}

type Task = () => Promise<void>;

export function createFairQueue({ slots, waitingPerOwner }: FairQueueOptions): FairQueue {
  /** Who waits, in the order of turns; nobody stays here without work. */
  const waiting = new Map<string, Task[]>();
  const background: Task[] = [];
  const onIdle: (() => void)[] = [];
  let running = 0;

  function add(share: Share, task: Task): void {
    if (share === 'background') {
      background.push(task);
      return;
    }
    const tasks = waiting.get(share.owner) ?? [];
    if (tasks.length >= waitingPerOwner) throw new TooMuchWaiting(`${tasks.length} are waiting already`);
    tasks.push(task);
    waiting.set(share.owner, tasks);
  }

  function take(): Task | undefined {
    const [next] = waiting;
    if (next === undefined) return background.shift();
    const [owner, tasks] = next;
    const task = tasks.shift();
    waiting.delete(owner);
    if (tasks.length > 0) waiting.set(owner, tasks);
    return task;
  }

  function fillSlots(): void {
    while (running < slots) {
      const task = take();
      if (task === undefined) break;
      running += 1;
      void task().then(() => {
        running -= 1;
        fillSlots();
      });
    }
    if (running === 0) for (const tell of onIdle.splice(0)) tell();
  }

  return {
    run: (share, work) =>
      new Promise((resolve, reject) => {
        add(share, () => work().then(resolve, reject));
        fillSlots();
      }),
    idle: () =>
      new Promise((resolve) => {
        onIdle.push(resolve);
        fillSlots();
      }),
  };
}
