import { v7 as uuid } from 'uuid';
import { addressOf, postSlugOf } from '../../generator/addresses.ts';
import type { Caller } from '../access/caller.ts';
import type { Blog } from '../blogs/blog.ts';
import { findAccessibleBlog } from '../blogs/open-blog.ts';
import { findAppearance } from '../blogs/store.ts';
import type { BlogUrl } from '../config/config.ts';
import type { Db } from '../database/database.ts';
import { logBlogAction } from '../journal/audit-log.ts';
import { recordResult } from '../journal/idempotency.ts';
import { findPublishedSlugs, findRedirectTargets } from '../lists/published.ts';
import { enqueueChanges } from '../rebuilds/store.ts';
import type { Writer } from '../rebuilds/write.ts';
import { nextTimestamp } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import { fileOfTarget } from './address-rules.ts';
import {
  MAX_REDIRECTS,
  type OwnerRedirect,
  type RedirectInput,
  type RedirectOutcome,
  type SetRedirects,
} from './redirect.ts';
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
   * themselves; and `forbidden` if the blog would have more than `MAX_REDIRECTS`.
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

export function createRedirects({ db, blogUrl, write }: RedirectsDependencies): Redirects {
  return {
    async list(caller, blogId, query) {
      await findAccessibleBlog(db, caller, blogId);
      return store.listRedirects(db, blogId, query);
    },

    set: (caller, blogId, inputs) =>
      write(async (tx, now) => {
        const blog = await findAccessibleBlog(tx, caller, blogId);
        await assertNoPosts(tx, blogId, inputs);
        const outcomes = await setRedirects(tx, blogId, inputs, now);
        const changed = inputs.filter((_, at) => outcomes[at]?.outcome !== 'unchanged');
        const targetAt = memoisedTargets(tx, blogId);
        const fields = new Map(inputs.map(({ path, field }) => [path, field]));
        for (const input of changed) {
          await assertNoFolder(tx, blogId, input, fields);
          await assertNoLoop(targetAt, input, blogUrl(blog), fields);
        }
        await assertWithinLimit(tx, blogId);
        const written = { outcomes, rebuildId: await enqueue(tx, blog, changed, now) };
        await recordResult(tx, written);
        return written;
      }),

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
  const created: OwnerRedirect[] = [];
  const outcomes: { id: string; outcome: RedirectOutcome }[] = [];
  for (const { path, target } of inputs) {
    const former = present.get(path);
    const redirect = former ?? { id: uuid(), path, target, createdAt: now, updatedAt: now };
    if (former === undefined) created.push(redirect);
    else if (former.target !== target)
      await store.updateTarget(tx, former.id, target, nextTimestamp(former.updatedAt, now));
    const isSame = former?.target === target;
    const outcome = former === undefined ? 'created' : isSame ? 'unchanged' : 'replaced';
    outcomes.push({ id: redirect.id, outcome });
  }
  await store.insertRedirects(tx, blogId, created);
  return outcomes;
}

/** Throws `conflict` for an address at which readers find a post, or are redirected to one from its former slug. */
async function assertNoPosts(tx: Db, blogId: string, inputs: readonly RedirectInput[]): Promise<void> {
  const slugs = inputs.flatMap(({ path }) => postSlugOf(path) ?? []);
  const posts = new Set(await findPublishedSlugs(tx, blogId, slugs));
  const former = new Set((await findRedirectTargets(tx, blogId, slugs)).map(({ from }) => from));
  const { settings } = await findAppearance(tx, blogId);
  for (const { path, field } of inputs) {
    const slug = postSlugOf(path) ?? '';
    if (slug === settings.frontPage?.list) {
      throw new DomainError('conflict', `${field}: ${addressOf(path)} belongs to the blog’s list of posts`);
    }
    if (posts.has(slug)) {
      const message =
        `${field}: ${addressOf(path)} is an address of the post "${slug}": leave this redirect out, or first ` +
        'unpublish the post or change its slug';
      throw new DomainError('conflict', message);
    }
    if (former.has(slug)) {
      const message = `${field}: ${addressOf(path)} is a former address of a post, and redirects to it already`;
      throw new DomainError('conflict', message);
    }
  }
}

/** Throws `conflict` for a path that is a folder of another redirect's path, or below one that is a file. */
async function assertNoFolder(
  tx: Db,
  blogId: string,
  { path, field }: RedirectInput,
  fields: ReadonlyMap<string, string>,
): Promise<void> {
  const names = path.split('/');
  const folders = names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'));
  const [file] = (await store.findTargets(tx, blogId, folders)).keys();
  const other = file ?? (await store.findPathBelow(tx, blogId, path));
  if (other === null) return;
  const sent = fields.get(other);
  const remedy =
    sent === undefined
      ? `remove the redirect at ${addressOf(other)} first`
      : `leave out one of ${field} and ${sent} (${addressOf(other)})`;
  const reason = `a file, so no address can be below it: ${remedy}`;
  throw new DomainError('conflict', `${field}: ${addressOf(file ?? path)} is ${reason}`);
}

/** Redirects followed to find a loop. Browsers give up after twenty. */
const MAX_HOPS = 20;

/** Throws `conflict` if a redirect leads back to itself. */
async function assertNoLoop(
  targetAt: TargetAt,
  { path, field, target }: RedirectInput,
  blogUrl: string,
  fields: ReadonlyMap<string, string>,
): Promise<void> {
  let next: string | null = target;
  const way: string[] = [];
  for (let hop = 0; next !== null && hop < MAX_HOPS; hop++) {
    const file = fileOfTarget(next, blogUrl);
    if (file === null) return;
    if (file === path) {
      const loop = hop === 0 ? 'leads to itself' : `leads back to itself by way of ${way.join(', then ')}`;
      throw new DomainError('conflict', `${field}: ${addressOf(path)} ${loop}`);
    }
    const sent = fields.get(file);
    way.push(sent === undefined ? `the redirect at ${addressOf(file)}` : `${sent} (${addressOf(file)})`);
    next = await targetAt(file);
  }
}

/** The target of the redirect at a path; null if there is none. */
type TargetAt = (path: string) => Promise<string | null>;

/** Looks each path up once: a thousand redirects may lead through the same ones. */
function memoisedTargets(tx: Db, blogId: string): TargetAt {
  const known = new Map<string, string | null>();
  return async (path) => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const target = (await store.findTargets(tx, blogId, [path])).get(path) ?? null;
    known.set(path, target);
    return target;
  };
}

async function assertWithinLimit(tx: Db, blogId: string): Promise<void> {
  if ((await store.countRedirects(tx, blogId)) <= MAX_REDIRECTS) return;
  throw new DomainError('forbidden', `a blog can have at most ${MAX_REDIRECTS} redirects`);
}
