import { validate as isUuid, v7 as uuid } from 'uuid';
import type { Caller } from '../access/caller.ts';
import { listBlogs } from '../blogs/store.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { deactivateDomains } from '../domains/store.ts';
import { logAction } from '../journal/audit-log.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import type { Writer } from '../rebuilds/write.ts';
import type { Clock } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import type { TierName, Tiers } from '../tiers/tier.ts';
import type { Account } from './account.ts';
import * as store from './store.ts';

export interface AccountRequest {
  readonly email: string;
  readonly name: string;
  readonly tier: TierName;
  /** The owner's `sub` in session tokens; null if the owner signs in with keys only. */
  readonly subject: string | null;
}

export type ListedAccount = Account & { readonly blogs: number };

/**
 * Account management for the operator. Every `name` is an account's id or email address; methods throw `not_found` if
 * no account matches.
 */
export interface Accounts {
  /** The caller's own account. */
  profile(caller: Caller): Promise<Account>;
  /** Creates an account and its first key. Throws `conflict` if another account has the email or the subject. */
  create(request: AccountRequest): Promise<{ accountId: string; secret: string }>;
  /** Adds a key to an account, to replace a lost one. The other keys stay valid. */
  newKey(name: string): Promise<{ account: Account; secret: string }>;
  list(): Promise<ListedAccount[]>;
  /**
   * Moves an account to a tier. Its blogs are rebuilt, because pages depend on the tier. If the tier does not include
   * custom domains, they are disabled.
   */
  setTier(name: string, tier: TierName): Promise<{ account: Account; blogs: number }>;
  /** Disables the account's credentials and holds back its scheduled posts. Its blogs stay online. */
  suspend(name: string): Promise<Suspension>;
  reinstate(name: string): Promise<Suspension>;
  /** Lets sessions with this subject sign in to the account. Throws `conflict` if another account has the subject. */
  link(name: string, subject: string): Promise<Account>;
}

/** An account after a command, and whether the command changed it. */
export interface Suspension {
  readonly account: Account;
  readonly isChanged: boolean;
}

export interface AccountsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly tiers: Tiers;
  readonly credentials: Credentials;
  readonly write: Writer;
}

export function createAccounts({ db, clock, tiers, credentials, write }: AccountsDependencies): Accounts {
  return {
    async profile(caller) {
      const account = await store.findAccount(db, caller.accountId);
      if (!account) throw new DomainError('not_found', 'the account no longer exists');
      return account;
    },

    create: ({ subject, ...request }) =>
      inTransaction(db, async (tx) => {
        if (await store.findAccountByEmail(tx, request.email)) {
          throw new DomainError('conflict', `an account with the email ${request.email} already exists`);
        }
        if (subject !== null) await assertSubjectFree(tx, subject);
        const accountId = uuid();
        await store.insertAccount(tx, {
          ...request,
          id: accountId,
          externalId: subject,
          createdAt: clock.now(),
        });
        const { secret } = await credentials.issue(fullAccessKey(accountId, 'Default'), tx);
        await logAction(tx, { accountId, id: accountId, name: request.tier });
        return { accountId, secret };
      }),

    newKey: (name) =>
      inTransaction(db, async (tx) => {
        const account = await findNamedAccount(tx, name);
        const { id, secret } = await credentials.issue(fullAccessKey(account.id, 'New'), tx);
        await logAction(tx, { accountId: account.id, id });
        return { account, secret };
      }),

    list: () => store.listAccounts(db),

    async setTier(name, tier) {
      const { account, blogs } = await write(async (tx, now) => {
        const account = await findNamedAccount(tx, name);
        if (account.tier === tier) return { account, blogs: 0, rebuildId: null };
        await store.setTier(tx, account.id, tier);
        await logAction(tx, { accountId: account.id, id: account.id, name: tier });
        if (!tiers[tier].customDomain) await deactivateDomains(tx, account.id);
        const blogs = await listBlogs(tx, account.id);
        let rebuildId: string | null = null;
        for (const blog of blogs) rebuildId = await enqueueChange(tx, blog.id, { scope: 'blog' }, now);
        return { account, blogs: blogs.length, rebuildId };
      });
      return { account, blogs };
    },

    suspend: (name) => inTransaction(db, (tx) => setSuspended(tx, name, clock.now())),
    reinstate: (name) => inTransaction(db, (tx) => setSuspended(tx, name, null)),

    link: (name, subject) =>
      inTransaction(db, async (tx) => {
        const account = await findNamedAccount(tx, name);
        if (account.externalId === subject) return account;
        await assertSubjectFree(tx, subject);
        await store.setExternalId(tx, account.id, subject);
        await logAccountAction(tx, account);
        return account;
      }),
  };
}

/** Suspends an account from `since` on, unless it is suspended already, or reinstates it (null). */
async function setSuspended(tx: Db, name: string, since: string | null): Promise<Suspension> {
  const account = await findNamedAccount(tx, name);
  const suspendedAt = since && (account.suspendedAt ?? since);
  if (suspendedAt === account.suspendedAt) return { account, isChanged: false };
  await store.setSuspended(tx, account.id, suspendedAt);
  await logAccountAction(tx, account);
  return { account: { ...account, suspendedAt }, isChanged: true };
}

const logAccountAction = (tx: Db, { id }: Account): Promise<void> => logAction(tx, { accountId: id, id });

/** A key with every scope on all blogs of an account. */
const fullAccessKey = (accountId: string, name: string) =>
  ({ accountId, blogId: null, name, scopes: ['*'], expiresAt: null }) as const;

/** Finds an account by id or email address. Throws `not_found` if there is none. */
export async function findNamedAccount(db: Db, name: string): Promise<Account> {
  const account = (await store.findAccount(db, name)) ?? (await store.findAccountByEmail(db, name));
  if (!account) throw new DomainError('not_found', `there is no account ${name}`);
  return account;
}

async function assertSubjectFree(db: Db, subject: string): Promise<void> {
  const linked = await store.findAccountByExternalId(db, subject);
  if (linked)
    throw new DomainError('conflict', `the subject ${subject} is already linked to ${linked.email}`);
}

/** The id of an account by its email address. Any UUID counts as an id, so that deleted accounts are found. */
export async function accountIdOf(db: Db, name: string): Promise<string> {
  const account = await store.findAccountByEmail(db, name);
  if (account) return account.id;
  if (isUuid(name)) return name;
  throw new DomainError('not_found', `there is no account ${name}`);
}
