import type { Caller } from '../access/caller.ts';
import { secretPrefix } from '../access/credential.ts';
import { grants, type Scope } from '../access/scope.ts';
import { findAccessibleBlog } from '../blogs/open-blog.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { logAction } from '../journal/audit-log.ts';
import { recordResult } from '../journal/idempotency.ts';
import { addMilliseconds, type Clock } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import type { Credentials } from './credentials.ts';
import type { LastUsed } from './last-used.ts';
import * as store from './store.ts';
import type { ListedCredential, MintedToken, TokenRequest } from './token.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Manages an account's credentials. A blog's key is a credential that is bound to the blog; an account's tokens are
 * all of its credentials. A bound credential sees only those of its blog.
 */
export interface Tokens {
  /**
   * Creates a credential for one blog, or for all blogs of the account (null). Throws `forbidden` if it would have
   * more rights than the caller, and `not_found` for a blog that is not the account's.
   */
  mint(caller: Caller, blogId: string | null, request: TokenRequest): Promise<MintedToken>;
  /** The same for a blog in the URL: throws `not_found` if the caller cannot access it. */
  mintForBlog(caller: Caller, blogId: string, request: TokenRequest): Promise<MintedToken>;
  list(caller: Caller): Promise<ListedCredential[]>;
  listForBlog(caller: Caller, blogId: string): Promise<ListedCredential[]>;
  /** Revokes a credential at once. Throws `not_found` for one that the caller cannot see. */
  revoke(caller: Caller, id: string): Promise<void>;
  revokeForBlog(caller: Caller, blogId: string, id: string): Promise<void>;
}

export interface TokensDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly credentials: Credentials;
  readonly lastUsed: LastUsed;
}

export function createTokens({ db, clock, credentials, lastUsed }: TokensDependencies): Tokens {
  async function mint(caller: Caller, blogId: string | null, request: TokenRequest): Promise<MintedToken> {
    assertNoEscalation(caller, blogId, request.scopes);
    return inTransaction(db, async (tx) => {
      if (blogId !== null) await findAccessibleBlog(tx, caller, blogId);
      const { expiresInDays, ...named } = request;
      const expiresAt = expiresInDays === null ? null : addMilliseconds(clock.now(), expiresInDays * DAY_MS);
      const token = { ...named, blogId, expiresAt };
      const issued = await credentials.issue({ ...token, accountId: caller.accountId }, tx);
      await recordResult(tx, { id: issued.id });
      await logAction(tx, { accountId: caller.accountId, blogId, id: issued.id, name: request.name });
      return { ...token, ...issued, prefix: secretPrefix(issued.secret) };
    });
  }

  async function list(caller: Caller, blogId: string | null): Promise<ListedCredential[]> {
    const listed = await store.listCredentials(db, { accountId: caller.accountId, blogId });
    return listed.map((token) => ({ ...token, lastUsedAt: lastUsed.pending(token.id) ?? token.lastUsedAt }));
  }

  async function revoke(caller: Caller, blogId: string | null, id: string): Promise<void> {
    const owner = { accountId: caller.accountId, blogId };
    await inTransaction(db, async (tx) => {
      if (!(await store.revokeCredential(tx, owner, id, clock.now()))) {
        throw new DomainError('not_found', 'there is no such key');
      }
      await logAction(tx, { ...owner, id });
    });
  }

  return {
    mint,
    async mintForBlog(caller, blogId, request) {
      await findAccessibleBlog(db, caller, blogId);
      return mint(caller, blogId, request);
    },
    list: (caller) => list(caller, caller.boundBlogId),
    async listForBlog(caller, blogId) {
      await findAccessibleBlog(db, caller, blogId);
      return list(caller, blogId);
    },
    revoke: (caller, id) => revoke(caller, caller.boundBlogId, id),
    async revokeForBlog(caller, blogId, id) {
      await findAccessibleBlog(db, caller, blogId);
      return revoke(caller, blogId, id);
    },
  };
}

/** A credential cannot grant more rights than it has. */
function assertNoEscalation(caller: Caller, blogId: string | null, scopes: readonly Scope[]): void {
  if (caller.boundBlogId !== null && blogId !== caller.boundBlogId) {
    throw new DomainError('forbidden', 'this API key is bound to one blog and cannot make a key for others', {
      guide: 'blogs',
    });
  }
  const missing = scopes.find((scope) => !grants(caller.scopes, scope));
  if (missing === undefined) return;
  throw new DomainError(
    'forbidden',
    `this API key lacks the scope ${missing} and cannot make a key that has it`,
    { guide: 'scopes' },
  );
}
