import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from '../database/database.ts';
import { addMilliseconds, type Clock } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import * as store from './idempotency-store.ts';

const RETENTION_MS = 24 * 60 * 60 * 1000;

/** A request that carries an idempotency key. */
export interface KeyedRequest extends Omit<store.RecordKey, 'part'> {
  /** Hash of the operation, the blog that it acts on, and the bytes of the body. */
  readonly fingerprint: string;
}

/**
 * Runs a write, or returns its recorded result if it ran before. The write must call `recordResult` in its
 * transaction. A request with several writes numbers them by `part`.
 */
export type RunOnce = <T>(write: () => Promise<T>, part?: number) => Promise<T>;

/** Runs each write once per idempotency key: a repeated request within 24 hours gets the recorded result. */
export interface Idempotency {
  /**
   * Runs `work`, which must wrap each write of the request in `once`. Throws `conflict` if the key was used for a
   * different request, or if the same request is in progress. `wasDone`: all writes were done before.
   */
  run<T>(
    request: KeyedRequest,
    work: (once: RunOnce) => Promise<T>,
  ): Promise<{ result: T; wasDone: boolean }>;
  /** Deletes records older than 24 hours. */
  prune(): Promise<void>;
}

const currentRecorder = new AsyncLocalStorage<(tx: Db, result: object) => Promise<void>>();

/**
 * Stores the result of a write in the idempotency record, in the transaction of the write: a repeated request with
 * the same key gets this result. It must be small and hold no secret. Does nothing for a request without a key.
 */
export async function recordResult(tx: Db, result: object): Promise<void> {
  await currentRecorder.getStore()?.(tx, result);
}

export function createIdempotency({ db, clock }: { db: Db; clock: Clock }): Idempotency {
  /** Requests in progress in this process. Across processes, the record's unique key detects the conflict. */
  const inProgress = new Set<string>();

  async function runRequest<T>(request: KeyedRequest, work: (once: RunOnce) => Promise<T>) {
    const { fingerprint, ...name } = request;
    const since = addMilliseconds(clock.now(), -RETENTION_MS);
    const known = await store.findRecords(db, name, since);
    for (const found of known.values()) {
      if (found.fingerprint === fingerprint) continue;
      throw new DomainError('conflict', 'this Idempotency-Key was used for another request: send a new key', {
        guide: 'idempotency',
      });
    }
    let wasDone = known.size > 0;
    const once: RunOnce = async (write, part = 0) => {
      const before = known.get(part);
      if (before) return JSON.parse(before.result);
      wasDone = false;
      return currentRecorder.run(async (tx, result) => {
        const kept = { fingerprint, result: JSON.stringify(result), recordedAt: clock.now() };
        if (!(await store.insertRecord(tx, { ...name, part }, kept, since))) throw inProgressError();
      }, write);
    };
    return { result: await work(once), wasDone };
  }

  return {
    async run(request, work) {
      const { accountId, credential, key } = request;
      const requestKey = JSON.stringify([accountId, credential, key]);
      if (inProgress.has(requestKey)) {
        throw inProgressError();
      }
      inProgress.add(requestKey);
      return runRequest(request, work).finally(() => inProgress.delete(requestKey));
    },
    prune: () => store.deleteRecordsBefore(db, addMilliseconds(clock.now(), -RETENTION_MS)),
  };
}

const inProgressError = () =>
  new DomainError('conflict', 'a request with this Idempotency-Key is in progress', {
    guide: 'idempotency',
    retryAfter: 1,
  });
