import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Db } from '../database/database.ts';
import { addMilliseconds, type Clock } from '../runtime/clock.ts';
import * as store from './audit-log-store.ts';

const RETENTION_MS = 90 * 24 * 60 * 60 * 1000;
/** Rows deleted per statement, so that requests wait only briefly. */
const PRUNE_BATCH = 1_000;

export type { Actor } from './audit-log-store.ts';

/** The operation or command in progress: who does what, and when. Its subject is not known yet. */
export type ActionContext = Omit<store.AuditEntry, 'subject'>;

/** The part of a blog that the log names. */
interface LoggedBlog {
  readonly accountId: string;
  readonly id: string;
  readonly slug: string;
}

const current = new AsyncLocalStorage<ActionContext>();

/** Runs `work` so that every change it logs is attributed to this actor and action. */
export const withActionContext = <T>(context: ActionContext, work: () => Promise<T>): Promise<T> =>
  current.run(context, work);

/**
 * Logs what a write changed and who requested it, in the transaction of the write. Does nothing outside of
 * `withActionContext`, as when a scheduled post is published.
 */
export async function logAction(tx: Db, subject: Partial<store.AuditSubject>): Promise<void> {
  const context = current.getStore();
  if (context === undefined) return;
  await store.insertAuditEntry(tx, {
    ...context,
    subject: { accountId: null, blogId: null, id: null, name: null, ...subject },
  });
}

export const logBlogAction = (tx: Db, { accountId, id, slug }: LoggedBlog): Promise<void> =>
  logAction(tx, { accountId, blogId: id, id, name: slug });

export const logPostAction = (
  tx: Db,
  { accountId, id: blogId }: LoggedBlog,
  { id, slug }: { readonly id: string; readonly slug: string },
): Promise<void> => logAction(tx, { accountId, blogId, id, name: slug });

/** What operators and API clients did in the last 90 days. */
export interface AuditLog {
  /**
   * Lists entries, newest first: all, or only those of an account (id or email address) or of a blog (slug or id).
   * Throws `not_found` for an unknown email address or slug. Entries of deleted accounts and blogs are found by id.
   */
  list(query: {
    readonly account?: string | undefined;
    readonly blog?: string | undefined;
    readonly limit: number;
  }): Promise<store.AuditEntry[]>;
  /** Logs an operator's action that does not write to the database. */
  note(subject: Partial<store.AuditSubject>): Promise<void>;
  /** Runs an operator's command and attributes its changes to the operator (a name). */
  asOperator<T>(operator: string, action: string, work: () => Promise<T>): Promise<T>;
  /** Deletes entries older than 90 days. */
  prune(): Promise<void>;
}

export interface AuditLogDependencies {
  readonly db: Db;
  readonly clock: Clock;
  /** The id of the account that a name (email address or id) stands for. Throws `not_found`. */
  readonly accountIdOf: (name: string) => Promise<string>;
  /** The id of the blog that a name (slug or id) stands for. Throws `not_found`. */
  readonly blogIdOf: (name: string) => Promise<string>;
}

export function createAuditLog({ db, clock, accountIdOf, blogIdOf }: AuditLogDependencies): AuditLog {
  return {
    async list({ account, blog, limit }) {
      const accountId = account === undefined ? undefined : await accountIdOf(account);
      const blogId = blog === undefined ? undefined : await blogIdOf(blog);
      return store.listAuditEntries(db, { accountId, blogId, limit });
    },

    note: (subject) => logAction(db, subject),

    asOperator: (operator, action, work) =>
      withActionContext({ at: clock.now(), actor: { kind: 'operator', id: operator }, action }, work),

    async prune() {
      const before = addMilliseconds(clock.now(), -RETENTION_MS);
      while ((await store.deleteAuditEntriesBefore(db, before, PRUNE_BATCH)) === PRUNE_BATCH)
        await setImmediate();
    },
  };
}
