import { validate as isUuid, v7 as uuid } from 'uuid';
import type { Caller } from '../access/caller.ts';
import { listBlogs } from '../blogs/store.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { disableDomains } from '../domains/store.ts';
import { logAct } from '../journal/audit-log.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import type { Clock } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import type { TierName, Tiers } from '../tiers/tier.ts';
import type { Account } from './account.ts';
import * as store from './store.ts';

export interface AccountRequest {
  readonly email: string;
  readonly name: string;
  readonly tier: TierName;
  /** Who they are to the issuer of session tokens (their `sub`); null where they have no sessions. */
  readonly subject: string | null;
}

export type ListedAccount = Account & { readonly blogs: number };

/**
 * Accounts, as the operator manages them. An account is named by its id or its email address; `not_found` is thrown
 * where there is none by that name.
 */
export interface Accounts {
  /** The caller's own. */
  profile(caller: Caller): Promise<Account>;
  /** Makes an account with a first key. Throws `conflict` for an email or a subject that another account has. */
  create(request: AccountRequest): Promise<{ accountId: string; secret: string }>;
  /** Gives an account one more key, for whoever has lost theirs. The others remain. */
  newKey(name: string): Promise<{ account: Account; secret: string }>;
  list(): Promise<ListedAccount[]>;
  /** Moves an account to a tier. Its blogs are pressed anew, as pages show the tier, and are found on their own domains only where it includes these. */
  setTier(name: string, tier: TierName): Promise<{ account: Account; blogs: number }>;
  /** From now on the account's credentials do nothing and its scheduled posts wait. Readers see its blogs as before. */
  suspend(name: string): Promise<Suspension>;
  reinstate(name: string): Promise<Suspension>;
  /** Lets a person sign in to an account. Throws `conflict` for a subject that another account has. */
  link(name: string, subject: string): Promise<Account>;
}

/** An account as a command left it, and whether it was otherwise before. */
export interface Suspension {
  readonly account: Account;
  readonly isChanged: boolean;
}

export interface AccountsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly tiers: Tiers;
  readonly credentials: Credentials;
  /** Called when a write has queued a rebuild. */
  readonly onChange: () => void;
}

export function createAccounts({ db, clock, tiers, credentials, onChange }: AccountsDependencies): Accounts {
  const setSuspended = (name: string, sinceOf: (account: Account) => string | null) =>
    inTransaction(db, async (tx) => {
      const account = await findNamedAccount(tx, name);
      const suspendedAt = sinceOf(account);
      if (suspendedAt === account.suspendedAt) return { account, isChanged: false };
      await store.setSuspended(tx, account.id, suspendedAt);
      await logAccountAct(tx, account);
      return { account: { ...account, suspendedAt }, isChanged: true };
    });

  return {
    async profile(caller) {
      const account = await store.findAccount(db, caller.accountId);
      if (!account) throw new DomainError('not_found', 'the account is gone');
      return account;
    },

    create: ({ subject, ...request }) =>
      inTransaction(db, async (tx) => {
        if (await store.findAccountByEmail(tx, request.email)) {
          throw new DomainError('conflict', `there is an account with the email ${request.email} already`);
        }
        if (subject !== null) await assertSubjectFree(tx, subject);
        const accountId = uuid();
        await store.insertAccount(tx, {
          ...request,
          id: accountId,
          externalId: subject,
          createdAt: clock.now(),
        });
        const { secret } = await credentials.issue(keyFor(accountId, 'Default'), tx);
        await logAct(tx, { accountId, id: accountId, name: request.tier });
        return { accountId, secret };
      }),

    newKey: (name) =>
      inTransaction(db, async (tx) => {
        const account = await findNamedAccount(tx, name);
        const { id, secret } = await credentials.issue(keyFor(account.id, 'New'), tx);
        await logAct(tx, { accountId: account.id, id });
        return { account, secret };
      }),

    list: () => store.listAccounts(db),

    async setTier(name, tier) {
      const moved = await inTransaction(db, async (tx) => {
        const account = await findNamedAccount(tx, name);
        if (account.tier === tier) return { account, blogs: 0 };
        await store.setTier(tx, account.id, tier);
        await logAct(tx, { accountId: account.id, id: account.id, name: tier });
        if (!tiers[tier].customDomain) await disableDomains(tx, account.id);
        const blogs = await listBlogs(tx, account.id);
        for (const blog of blogs) await enqueueChange(tx, blog.id, { scope: 'blog' }, clock.now());
        return { account, blogs: blogs.length };
      });
      if (moved.blogs > 0) onChange();
      return moved;
    },

    suspend: (name) => setSuspended(name, ({ suspendedAt }) => suspendedAt ?? clock.now()),
    reinstate: (name) => setSuspended(name, () => null),

    link: (name, subject) =>
      inTransaction(db, async (tx) => {
        const account = await findNamedAccount(tx, name);
        if (account.externalId === subject) return account;
        await assertSubjectFree(tx, subject);
        await store.setExternalId(tx, account.id, subject);
        await logAccountAct(tx, account);
        return account;
      }),
  };
}

const logAccountAct = (tx: Db, { id }: Account): Promise<void> => logAct(tx, { accountId: id, id });

/** A key that may do everything in an account. */
const keyFor = (accountId: string, name: string) =>
  ({ accountId, blogId: null, name, scopes: ['*'], expiresAt: null }) as const;

/** The account with an id or an email address. Throws `not_found` where there is none. */
export async function findNamedAccount(db: Db, name: string): Promise<Account> {
  const account = (await store.findAccount(db, name)) ?? (await store.findAccountByEmail(db, name));
  if (!account) throw new DomainError('not_found', `there is no account ${name}`);
  return account;
}

async function assertSubjectFree(db: Db, subject: string): Promise<void> {
  const linked = await store.findAccountByExternalId(db, subject);
  if (linked)
    throw new DomainError('conflict', `the subject ${subject} is linked to ${linked.email} already`);
}

/** The id of an account by its email address. Any UUID counts as an id, so that deleted accounts are found. */
export async function accountIdOf(db: Db, name: string): Promise<string> {
  const account = await store.findAccountByEmail(db, name);
  if (account) return account.id;
  if (isUuid(name)) return name;
  throw new DomainError('not_found', `there is no account ${name}`);
}
