/** The owner that a task belongs to. Background tasks run only while no owner's task waits. */
export type TaskOwner = { readonly owner: string } | 'background';

/** The owner has reached the limit of waiting tasks. */
export class TooMuchWaiting extends Error {
  override readonly name = 'TooMuchWaiting';
}

export interface FairQueueOptions {
  /** Number of tasks that run at once. */
  readonly slots: number;
  /** Maximum number of waiting tasks per owner, without those that run. */
  readonly waitingPerOwner: number;
}

/**
 * A queue that is fair between owners, however many tasks one of them adds: each free slot goes to the oldest task of
 * the owner who was served least recently.
 */
export interface FairQueue {
  /** Settles as the work does. Over the owner's limit it rejects with `TooMuchWaiting`, and the work never starts. */
  run<T>(share: TaskOwner, work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing runs or waits. */
  idle(): Promise<void>;
}

type Task = () => Promise<void>;

export function createFairQueue({ slots, waitingPerOwner }: FairQueueOptions): FairQueue {
  /** Waiting tasks by owner, in the order of turns. Owners without tasks are removed. */
  const waiting = new Map<string, Task[]>();
  const background: Task[] = [];
  const onIdle: (() => void)[] = [];
  let running = 0;

  function enqueue(share: TaskOwner, task: Task): void {
    if (share === 'background') {
      background.push(task);
      return;
    }
    const tasks = waiting.get(share.owner) ?? [];
    if (tasks.length >= waitingPerOwner) throw new TooMuchWaiting(`${tasks.length} tasks are waiting`);
    tasks.push(task);
    waiting.set(share.owner, tasks);
  }

  function takeNext(): Task | undefined {
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
      const task = takeNext();
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
        enqueue(share, () => work().then(resolve, reject));
        fillSlots();
      }),
    idle: () =>
      new Promise((resolve) => {
        onIdle.push(resolve);
        fillSlots();
      }),
  };
}
