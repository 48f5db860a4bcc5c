export interface AccountsTable {
  id: string;
  email: string;
  name: string;
  tier: string;
  /** The account's `sub` in session tokens; null if it has no sessions. */
  external_id: string | null;
  /** When the operator suspended it. The credentials of a suspended account do nothing. */
  suspended_at: string | null;
  created_at: string;
}

export interface CredentialsTable {
  id: string;
  account_id: string;
  /** The blog that the credential is bound to; null if it covers all of the account's blogs. */
  blog_id: string | null;
  name: string;
  prefix: string;
  hash: string;
  scopes: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  created_at: string;
}

/** Posts created in a calendar month (`2026-11`). Deletions do not lower the count. */
export interface MonthlyPostsTable {
  account_id: string;
  month: string;
  posts: number;
}

/** Prepaid posts. */
export interface PacksTable {
  id: string;
  account_id: string;
  /** Posts left. */
  balance: number;
  purchased_at: string;
}

/** What requests with idempotency keys did. */
export interface IdempotencyRecordsTable {
  account_id: string;
  /** The credential's id, or `session`. */
  credential: string;
  key: string;
  part: number;
  fingerprint: string;
  /** JSON. */
  result: string;
  recorded_at: string;
}

/** The audit log: rows never change, and are deleted when old. */
export interface AuditLogTable {
  id: string;
  at: string;
  /** `key`, `session` or `operator`. */
  actor: string;
  /** Id of the key, or name of the operator; null for a session, because the account identifies it. */
  actor_id: string | null;
  /** API operation, or command. */
  action: string;
  /** The account that owns the changed data. */
  account_id: string | null;
  blog_id: string | null;
  subject_id: string | null;
  subject: string | null;
}
