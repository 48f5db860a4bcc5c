/** The process or thread that did some work ended at it, or was ended for it took too long. */
export class WorkerDied extends Error {
  override readonly name = 'WorkerDied';
}
