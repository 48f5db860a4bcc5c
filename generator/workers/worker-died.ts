/** A worker process or thread ended before it replied: it crashed, or was killed because it took too long. */
export class WorkerDied extends Error {
  override readonly name = 'WorkerDied';
}
