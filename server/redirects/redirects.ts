import { AsyncResource } from 'node:async_hooks';
import { v7 as uuid } from 'uuid';
import { addressOf, postSlugOf } from '../../generator/addresses.ts';
import { createFairQueue } from '../../generator/workers/fair-queue.ts';
import type { Caller } from '../access/caller.ts';
import type { Blog } from '../blogs/blog.ts';
import { findAccessibleBlog } from '../blogs/open-blog.ts';
import type { BlogUrl } from '../config/config.ts';
import type { Db } from '../database/database.ts';
import { logBlogAction } from '../journal/audit-log.ts';
import { recordResult } from '../journal/idempotency.ts';
import { enqueueChanges } from '../rebuilds/store.ts';
import type { Writer } from '../rebuilds/write.ts';
import { nextTimestamp } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import { createRate } from '../runtime/rate.ts';
import { type AddressUse, findAddressUses } from './address-uses.ts';
import { findDeadEnds } from './dead-ends.ts';
import { assertFewFolders, assertNoFileIsFolder } from './folders.ts';
import { assertRedirectsWithinLimit } from './limit.ts';
import { assertNoLoops } from './loops.ts';
import { findOwnOrigins } from './own-origins.ts';
import type { DeadEnds, OwnerRedirect, RedirectInput, RedirectOutcome, SetRedirects } from './redirect.ts';
import * as store from './store.ts';

/** The redirects of a blog. Every method throws `not_found` for a blog that the credential cannot access. */
export interface Redirects {
  /** Sorted by address. `path`: only the redirect at this path; null for all. */
  list(
    caller: Caller,
    blogId: string,
    query: { readonly path: string | null; readonly page: number; readonly perPage: number },
  ): Promise<{ redirects: readonly OwnerRedirect[]; total: number }>;
  /**
   * Sets all of these redirects, or none; one with the same path is replaced. Throws `conflict` for the address of a
   * published post, for a path that is a folder of another redirect or below one, and for redirects that lead back to
   * themselves; `forbidden` if the blog would have more than `MAX_REDIRECTS` with its posts' former slugs, or more than
   * `MAX_REDIRECT_FOLDERS` for them; and `rate_limit_exceeded` beyond `MAX_SENT_PER_MINUTE`.
   */
  set(caller: Caller, blogId: string, inputs: readonly RedirectInput[]): Promise<SetRedirects>;
  /** Throws `not_found` if there is no such redirect. */
  remove(
    caller: Caller,
    blogId: string,
    which: { readonly id: string } | { readonly path: string },
  ): Promise<{ rebuildId: string | null }>;
}

export interface RedirectsDependencies {
  readonly db: Db;
  readonly blogUrl: BlogUrl;
  readonly write: Writer;
}

/** Redirects that an account may send in a minute, unchanged ones included: twice those of a blog. */
export const MAX_SENT_PER_MINUTE = 20_000;

export function createRedirects({ db, blogUrl, write }: RedirectsDependencies): Redirects {
  const sent = createRate({
    times: MAX_SENT_PER_MINUTE,
    seconds: 60,
    refusal: `an account may send at most ${MAX_SENT_PER_MINUTE.toLocaleString('en')} redirects a minute`,
  });
  // One request at a time: what was checked before the transaction then holds in it, because only `set` adds redirects.
  const queue = createFairQueue({ slots: 1, waitingPerOwner: Infinity });

  /** What takes long is checked before the transaction, which holds up all other requests. */
  async function check(
    blog: Blog,
    inputs: readonly RedirectInput[],
    origins: ReadonlySet<string>,
  ): Promise<void> {
    const findTargets = (paths: readonly string[]) => store.findTargets(db, blog.id, paths);
    const present = await findTargets(inputs.map(({ path }) => path));
    const changed = inputs.filter(({ path, target }) => present.get(path) !== target);
    await assertNoLoops(changed, findTargets, origins);
    const created = changed.map(({ path }) => path).filter((path) => !present.has(path));
    await assertFewFolders(db, blog.id, created);
  }

  return {
    async list(caller, blogId, query) {
      await findAccessibleBlog(db, caller, blogId);
      return store.listRedirects(db, blogId, query);
    },

    async set(caller, blogId, inputs) {
      const blog = await findAccessibleBlog(db, caller, blogId);
      await sent.take(blog.accountId, inputs.length);
      // Bound: another request may start the work, whose idempotency record and log entry this must not write.
      const work = AsyncResource.bind(async () => {
        const origins = await findOwnOrigins(db, blog, blogUrl);
        await check(blog, inputs, origins);
        const deadEnds = await findDeadEnds(db, blog.id, inputs, origins);
        return write((tx, now) => setInTransaction(tx, caller, blogId, { inputs, deadEnds, now }));
      });
      return queue.run({ owner: blog.accountId }, work);
    },

    remove: (caller, blogId, which) =>
      write(async (tx, now) => {
        const blog = await findAccessibleBlog(tx, caller, blogId);
        const redirect = await store.findRedirect(tx, blogId, which);
        if (!redirect) throw new DomainError('not_found', 'the blog has no such redirect');
        await store.deleteRedirect(tx, redirect.id);
        return { rebuildId: await enqueue(tx, blog, [redirect], now) };
      }),
  };
}

async function setInTransaction(
  tx: Db,
  caller: Caller,
  blogId: string,
  { inputs, deadEnds, now }: { inputs: readonly RedirectInput[]; deadEnds: DeadEnds; now: string },
): Promise<SetRedirects> {
  const blog = await findAccessibleBlog(tx, caller, blogId);
  await assertNoPosts(tx, blogId, inputs);
  const outcomes = await setRedirects(tx, blogId, inputs, now);
  const created = inputs.filter((_, at) => outcomes[at]?.outcome === 'created');
  await assertNoFileIsFolder(tx, blogId, created);
  if (created.length > 0) await assertRedirectsWithinLimit(tx, blogId);
  const changed = inputs.filter((_, at) => outcomes[at]?.outcome !== 'unchanged');
  const written = { outcomes, deadEnds, rebuildId: await enqueue(tx, blog, changed, now) };
  await recordResult(tx, written);
  return written;
}

/** Logs the change of redirects and queues their rebuild. */
async function enqueue(
  tx: Db,
  blog: Blog,
  changed: readonly { readonly path: string }[],
  now: string,
): Promise<string | null> {
  if (changed.length === 0) return null;
  await logBlogAction(tx, blog);
  const changes = changed.map(({ path }) => ({ scope: 'redirect', path }) as const);
  return enqueueChanges(tx, blog.id, changes, now);
}

async function setRedirects(
  tx: Db,
  blogId: string,
  inputs: readonly RedirectInput[],
  now: string,
): Promise<SetRedirects['outcomes']> {
  const present = await store.findRedirectsAt(
    tx,
    blogId,
    inputs.map(({ path }) => path),
  );
  const saved: OwnerRedirect[] = [];
  const outcomes: { id: string; outcome: RedirectOutcome }[] = [];
  for (const { path, target } of inputs) {
    const former = present.get(path);
    const id = former?.id ?? uuid();
    const isSame = former?.target === target;
    outcomes.push({ id, outcome: former === undefined ? 'created' : isSame ? 'unchanged' : 'replaced' });
    if (isSame) continue;
    const updatedAt = former === undefined ? now : nextTimestamp(former.updatedAt, now);
    saved.push({ id, path, target, createdAt: former?.createdAt ?? now, updatedAt });
  }
  await store.saveRedirects(tx, blogId, saved);
  return outcomes;
}

/** Throws `conflict` for an address at which readers find a post or the list, or that is a former one of a post. */
async function assertNoPosts(tx: Db, blogId: string, inputs: readonly RedirectInput[]): Promise<void> {
  const uses = await findAddressUses(
    tx,
    blogId,
    inputs.map(({ path }) => path),
  );
  for (const { path, field } of inputs) {
    const use = uses.get(path);
    if (use) throw new DomainError('conflict', `${field}: ${addressOf(path)} ${conflicts[use](path)}`);
  }
}

const conflicts: Readonly<Record<AddressUse, (path: string) => string>> = {
  list: () => 'belongs to the blog’s list of posts',
  post: (path) =>
    `is an address of the post "${postSlugOf(path)}": leave this redirect out, or first unpublish the post or change ` +
    'its slug',
  'former slug': () => 'is a former address of a post, and redirects to it already',
};
