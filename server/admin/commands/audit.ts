import { z } from 'zod';
import type { AuditEntry } from '../../journal/audit-log-store.ts';
import { type Command, command } from '../command.ts';

const MAX_LIMIT = 10_000;
const LIMIT_MESSAGE = `must be a whole number from 1 to ${MAX_LIMIT}`;

const audit = command({
  name: 'audit',
  summary: 'List what operators and API keys did in the last 90 days, newest first',
  usage: '[--account <id or email>] [--blog <slug or id>] [--limit <number>] [--json]',
  details: `Each line has the time, the actor (a key, a session or an operator), the action (an API operation or a command) and
its target. Reads and background work are not logged. Name a deleted account or blog by its id. The default --limit is 100.`,
  positionals: [],
  options: { account: 'string', blog: 'string', limit: 'string', json: 'boolean' },
  input: z.object({
    account: z.string().optional(),
    blog: z.string().optional(),
    limit: z.coerce
      .number(LIMIT_MESSAGE)
      .int(LIMIT_MESSAGE)
      .min(1, LIMIT_MESSAGE)
      .max(MAX_LIMIT, LIMIT_MESSAGE)
      .default(100),
    json: z.boolean().default(false),
  }),
  async run({ auditLog }, { json, ...query }) {
    const acts = await auditLog.list(query);
    return json ? JSON.stringify(acts.map(actionJson)) : acts.map(actionLine).join('\n');
  },
});

export const auditCommands: readonly Command[] = [audit];

const actionJson = ({ at, actor, action, subject }: AuditEntry) => ({
  at,
  actor: actor.kind,
  actor_id: actor.id,
  action,
  account_id: subject.accountId,
  blog_id: subject.blogId,
  subject_id: subject.id,
  subject: subject.name,
});

const actionLine = ({ at, actor, action, subject }: AuditEntry): string =>
  [
    at,
    actor.id === null ? `session of ${subject.accountId}` : `${actor.kind} ${actor.id}`,
    action.padEnd(18),
    [...new Set([subject.accountId, subject.blogId, subject.id, subject.name])].filter(Boolean).join(' '),
  ].join('  ');
