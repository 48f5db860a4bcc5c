import { type Clock, later } from '../clock.ts';
import { DomainError } from '../domain/errors.ts';
import * as store from '../store/answers.ts';
import type { Db } from '../store/database.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;
/** After so long without an answer, whoever was answering is taken for dead. */
const ABANDONED_MS = 60_000;

/** An answer as it was given, to be given again. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Answers to requests that carry an idempotency key, kept for a day: who asks the same again gets the same. */
export interface Answers {
  /**
   * The answer that the key stands for, or null where the request is to be carried out and `keep` or `forget` called
   * afterwards. Throws `conflict` where the key was used for something else, or is being answered right now.
   */
  find(accountId: string, key: string, fingerprint: string): Promise<Answer | null>;
  keep(accountId: string, key: string, answer: Answer): Promise<void>;
  /** The request was refused: it may be sent again under the same key. */
  forget(accountId: string, key: string): Promise<void>;
  /** Drops what is older than a day. */
  prune(): Promise<void>;
}

export function createAnswers({ db, clock }: { db: Db; clock: Clock }): Answers {
  return {
    find: (accountId, key, fingerprint) =>
      db.transaction().execute(async (tx) => {
        const now = clock.now();
        const kept = await store.findAnswer(tx, accountId, key);
        if (kept && kept.askedAt > later(now, -KEPT_MS)) {
          if (kept.fingerprint !== fingerprint) {
            throw new DomainError('conflict', 'this Idempotency-Key was used for another request');
          }
          if (kept.answer !== null) return JSON.parse(kept.answer);
          if (kept.askedAt > later(now, -ABANDONED_MS)) {
            throw new DomainError('conflict', 'a request with this Idempotency-Key is being answered', {
              retryAfter: 1,
            });
          }
        }
        await store.noteQuestion(tx, accountId, key, { fingerprint, askedAt: now });
        return null;
      }),
    keep: (accountId, key, answer) => store.keepAnswer(db, accountId, key, JSON.stringify(answer)),
    forget: (accountId, key) => store.forgetAnswer(db, accountId, key),
    prune: () => store.forgetAnswersBefore(db, later(clock.now(), -KEPT_MS)),
  };
}
