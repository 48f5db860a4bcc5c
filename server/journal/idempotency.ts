import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from '../database/database.ts';
import { type Clock, later } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import * as store from './idempotency-store.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;

/** A request that carries an idempotency key. */
export interface KeyedRequest extends Omit<store.RecordName, 'part'> {
  /** Hash of what is asked: the operation, the blog that it acts on, and the bytes of the body. */
  readonly fingerprint: string;
}

/**
 * Carries a write out, or gives what came of it when it was carried out before. Whoever writes calls `record` in the
 * transaction of the write.
 */
export type Once = <T>(write: () => Promise<T>, part?: number) => Promise<T>;

/** Writes that are carried out once for each idempotency key, however often they are asked for within a day. */
export interface Idempotency {
  /**
   * Lets `work` carry the writes of a request out. Throws `conflict` where the key was used for something else, or the
   * request is being carried out right now. Resolves to what `work` does, and whether all of it was done before.
   */
  carryOut<T>(
    request: KeyedRequest,
    work: (once: Once) => Promise<T>,
  ): Promise<{ result: T; wasDone: boolean }>;
  /** Drops what is older than a day. */
  prune(): Promise<void>;
}

const recording = new AsyncLocalStorage<(tx: Db, result: object) => Promise<void>>();

/**
 * Notes what a write did, in its own transaction: who sends the same request under the same idempotency key again is
 * given this. It is small, and holds no secret. Does nothing for a request without a key.
 */
export async function record(tx: Db, result: object): Promise<void> {
  await recording.getStore()?.(tx, result);
}

export function createIdempotency({ db, clock }: { db: Db; clock: Clock }): Idempotency {
  /** Requests that this process carries out. Another that carries out the same is told apart by the record's key. */
  const underWay = new Set<string>();

  async function carryOut<T>(request: KeyedRequest, work: (once: Once) => Promise<T>) {
    const { fingerprint, ...name } = request;
    const since = later(clock.now(), -KEPT_MS);
    const known = await store.findRecords(db, name, since);
    for (const found of known.values()) {
      if (found.fingerprint === fingerprint) continue;
      throw new DomainError('conflict', 'this Idempotency-Key was used for another request: send a new one');
    }
    let wasDone = known.size > 0;
    const once: Once = async (write, part = 0) => {
      const before = known.get(part);
      if (before) return JSON.parse(before.result);
      wasDone = false;
      return recording.run(async (tx, result) => {
        const kept = { fingerprint, result: JSON.stringify(result), recordedAt: clock.now() };
        if (!(await store.insertRecord(tx, { ...name, part }, kept, since))) throw isUnderWay();
      }, write);
    };
    return { result: await work(once), wasDone };
  }

  return {
    async carryOut(request, work) {
      const { accountId, credential, key } = request;
      const mark = JSON.stringify([accountId, credential, key]);
      if (underWay.has(mark)) {
        throw isUnderWay();
      }
      underWay.add(mark);
      return carryOut(request, work).finally(() => underWay.delete(mark));
    },
    prune: () => store.deleteRecordsBefore(db, later(clock.now(), -KEPT_MS)),
  };
}

const isUnderWay = () =>
  new DomainError('conflict', 'a request with this Idempotency-Key is being answered', { retryAfter: 1 });
