import { v7 as uuid } from 'uuid';
import type { Db } from '../database/database.ts';

/** Who acted. */
export type Actor =
  | { readonly kind: 'key'; readonly id: string }
  | { readonly kind: 'session'; readonly id: null }
  /** `id` is the operator's user name on the machine. */
  | { readonly kind: 'operator'; readonly id: string };

/** What an act changed. */
export interface AuditSubject {
  /** The account that owns it. */
  readonly accountId: string | null;
  readonly blogId: string | null;
  readonly id: string | null;
  /** Its name for people, such as a slug or host name. Never a secret or an email address. */
  readonly name: string | null;
}

export interface AuditEntry {
  readonly at: string;
  readonly actor: Actor;
  /** An API operation (`createPost`), or a command (`account suspend`). */
  readonly action: string;
  readonly subject: AuditSubject;
}

export interface AuditQuery {
  readonly accountId?: string | undefined;
  readonly blogId?: string | undefined;
  readonly limit: number;
}

export async function insertAuditEntry(db: Db, { at, actor, action, subject }: AuditEntry): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({
      id: uuid(),
      at,
      actor: actor.kind,
      actor_id: actor.id,
      action,
      account_id: subject.accountId,
      blog_id: subject.blogId,
      subject_id: subject.id,
      subject: subject.name,
    })
    .execute();
}

/** The newest acts first. It scans the whole log if few acts match, so it is not for requests. */
export async function listAuditEntries(
  db: Db,
  { accountId, blogId, limit }: AuditQuery,
): Promise<AuditEntry[]> {
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .$if(blogId !== undefined, (query) => query.where('blog_id', '=', blogId ?? ''))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    at: row.at,
    actor: actorOf(row.actor, row.actor_id),
    action: row.action,
    subject: { accountId: row.account_id, blogId: row.blog_id, id: row.subject_id, name: row.subject },
  }));
}

/** Deletes up to `atMost` acts from before a time. Returns their number, so that the caller can pause in between. */
export async function deleteAuditEntriesBefore(db: Db, before: string, atMost: number): Promise<number> {
  const old = db.selectFrom('audit_log').select('id').where('at', '<', before).orderBy('at').limit(atMost);
  const result = await db.deleteFrom('audit_log').where('id', 'in', old).executeTakeFirst();
  return Number(result.numDeletedRows);
}

function actorOf(kind: string, id: string | null): Actor {
  if (kind === 'key' || kind === 'operator') return { kind, id: id ?? '' };
  return { kind: 'session', id: null };
}
