import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recoverLeases } from '../../../server/build/lease-recovery.ts';
import type { BuilderFate } from '../../../server/build/liveness.ts';
import type { Db } from '../../../server/database/database.ts';
import { openDatabase } from '../../../server/database/dialect.ts';
import { migrate } from '../../../server/database/migrate.ts';
import * as claims from '../../../server/rebuilds/claims.ts';
import { blogWork, releaseLease } from '../../../server/rebuilds/leases-store.ts';
import * as queue from '../../../server/rebuilds/store.ts';
import { clearSuspect, listSetAside } from '../../../server/rebuilds/suspects.ts';
import { addMilliseconds } from '../../../server/runtime/clock.ts';

const START = '2026-01-01T00:00:00.000Z';
const at = (seconds: number) => addMilliseconds(START, seconds * 1_000);
const outcome = { filesWritten: 3, filesRemoved: 1, invalidated: 2, steps: { plan: 1.5 } };

let db: Db;
beforeEach(async () => {
  db = openDatabase({ file: ':memory:', transactions: 'immediate', durable: false });
  await migrate(db);
});
afterEach(() => db.destroy());

let posts = 0;
const write = (blogId: string, seconds = 0) =>
  queue.enqueueChange(db, blogId, { scope: 'post', postId: `post-${++posts}`, before: null }, at(seconds));
const remove = (blogId: string, seconds: number) =>
  queue.enqueueChange(db, blogId, { scope: 'post', postId: `post-${++posts}`, before: null }, at(seconds), {
    removes: true,
  });
const holder = 'builder';
const anySmall = { whose: 'all', size: 'small', exceptBlogs: [], exceptAccounts: [] } as const;
const claim = async (seconds = 0, claimable: Partial<claims.ClaimFilter> = {}, length = 1_000) => {
  const claimed = await claims.claimBlog(db, at(seconds), { holder, length }, { ...anySmall, ...claimable });
  return claimed && { blogId: claimed.blogId, attempt: claimed.attempt };
};
const fail = async (blogId: string, retryAt: number, maxAttempts = 8) => {
  await releaseLease(db, { work: blogWork(blogId), holder });
  await claims.requeueAfterFailure(db, blogId, { error: 'disk full', retryAt: at(retryAt), maxAttempts });
};
const settle = async (blogId: string, lastId: number, seconds: number) => {
  await releaseLease(db, { work: blogWork(blogId), holder });
  return queue.settleChanges(db, blogId, lastId, outcome, at(seconds));
};
const statusOf = async (id: string) => (await queue.findReceipt(db, id))?.status;
const waiting = async (blogId: string) => (await queue.findWaitingChanges(db, blogId)).changes.length;

describe('changes in the rebuild queue', () => {
  it('waiting changes of a blog share one rebuild', async () => {
    const ids = [await write('a'), await write('a', 1), await write('a', 2)];
    expect(new Set(ids).size).toBe(1);
    expect(await write('b')).not.toBe(ids[0]);
    expect(await waiting('a')).toBe(3);
  });

  it('a change made during a build starts a new rebuild', async () => {
    const first = await write('a');
    await claim();
    const second = await write('a', 1);
    expect(second).not.toBe(first);
    expect(await write('a', 2)).toBe(second);
    expect([await statusOf(first), await statusOf(second)]).toEqual(['building', 'queued']);
  });

  it('changes are read back unchanged and in order', async () => {
    const before = {
      postId: 'p',
      slug: 's',
      publishedAt: '2026-01-01T00:00:00.000Z',
      pageNumber: 2,
      lists: [{ list: '日本', pageNumber: 1 }],
      redirects: ['old'],
      homeList: null,
      relatedBy: [],
      series: null,
    };
    await queue.enqueueChange(db, 'a', { scope: 'post', postId: 'p', before }, START);
    await queue.enqueueChange(db, 'a', { scope: 'blog' }, START);
    expect((await queue.findWaitingChanges(db, 'a')).changes).toEqual([
      { scope: 'post', postId: 'p', before },
      { scope: 'blog' },
    ]);
  });
});

describe('claiming a rebuild', () => {
  it('a claim takes the blog that has waited longest', async () => {
    await write('late', 2);
    await write('early', 1);
    expect([await claim(3), await claim(3), await claim(3)]).toEqual([
      { blogId: 'early', attempt: 1 },
      { blogId: 'late', attempt: 1 },
      null,
    ]);
  });

  it('a claim skips a blog that is being built', async () => {
    await write('busy', 0);
    await claim();
    await write('busy', 1);
    await write('other', 2);
    expect((await claim(3))?.blogId).toBe('other');
    expect(await claim(3)).toBeNull();
  });

  it('a rebuild claims all waiting changes of the blog', async () => {
    const failed = await write('a');
    await claim();
    await fail('a', 100);
    const fresh = await write('a', 1);
    expect(await claim(2)).toEqual({ blogId: 'a', attempt: 2 });
    expect([await statusOf(failed), await statusOf(fresh)]).toEqual(['building', 'building']);
  });
});

describe('a rebuild that fails', () => {
  it('a failed rebuild waits for its retry, keeps its error, and counts its attempts', async () => {
    const id = await write('a');
    expect(await claim()).toEqual({ blogId: 'a', attempt: 1 });
    await fail('a', 10);
    expect(await queue.findReceipt(db, id)).toMatchObject({
      status: 'queued',
      error: 'disk full',
      liveAt: null,
    });
    expect(await claim(9)).toBeNull();
    expect(await claim(10)).toEqual({ blogId: 'a', attempt: 2 });
  });

  it('a rebuild fails after a number of attempts, and is still retried', async () => {
    const id = await write('a');
    for (const attempt of [1, 2, 3]) {
      expect(await claim(attempt)).toEqual({ blogId: 'a', attempt });
      await fail('a', attempt + 1, 3);
    }
    expect(await queue.findReceipt(db, id)).toMatchObject({ status: 'failed', error: 'disk full' });
    await claims.requeueDueFailures(db, at(3));
    expect(await claim(1_000)).toBeNull();
    await claims.requeueDueFailures(db, at(4));
    expect(await statusOf(id)).toBe('queued');
    expect(await claim(4)).toEqual({ blogId: 'a', attempt: 4 });
  });

  it('a failed rebuild does not affect a younger one', async () => {
    const old = await write('a');
    await claim();
    await fail('a', 100);
    const young = await write('a', 1);
    await claim(2);
    await fail('a', 100, 2);
    expect([await statusOf(old), await statusOf(young)]).toEqual(['failed', 'queued']);
  });

  it('a failed rebuild goes live with the next write that does', async () => {
    const failed = await write('a');
    await claim();
    await fail('a', 1, 1);
    const next = await write('a', 2);
    expect(next).not.toBe(failed);
    await claim(3);
    const { lastId, changes } = await queue.findWaitingChanges(db, 'a');
    expect(changes).toHaveLength(2);
    expect((await settle('a', lastId, 4)).sort()).toEqual([failed, next].sort());
    expect(await queue.findReceipt(db, failed)).toMatchObject({ status: 'live', error: null, liveAt: at(4) });
  });

  it('a failed rebuild is retried at once after a restart, and keeps its count of attempts', async () => {
    const id = await write('a');
    await claim();
    await fail('a', 100, 1);
    await claims.requeueFailed(db, at(5));
    expect(await statusOf(id)).toBe('queued');
    expect(await claim(5)).toEqual({ blogId: 'a', attempt: 2 });
  });

  it('a failed rebuild that removes something from readers is claimed before all others', async () => {
    const [written, removed] = [await write('a'), await remove('b', 1)];
    for (const blogId of ['a', 'b']) {
      await claim(2);
      await fail(blogId, 10);
    }
    await write('c', 3);
    expect([await claim(10), await claim(10), await claim(10)].map((claimed) => claimed?.blogId)).toEqual([
      'b',
      'c',
      'a',
    ]);
    expect([await statusOf(written), await statusOf(removed)]).toEqual(['building', 'building']);
  });
});

describe('a builder that dies', () => {
  const die = (seconds: number, fate: BuilderFate = 'died') =>
    recoverLeases(db, holder, { fate, now: at(seconds) });
  const whoseIs = async (whose: claims.SuspectFilter, seconds: number) =>
    (await claim(seconds, { whose }))?.blogId ?? null;

  it('the work of a dead builder is claimed again, and its attempt counts', async () => {
    const id = await write('a');
    await claim();
    await die(0);
    expect(await statusOf(id)).toBe('queued');
    expect(await claim()).toEqual({ blogId: 'a', attempt: 2 });
  });

  it('all blogs of a dead builder become suspects, built apart until an attempt ends', async () => {
    for (const blogId of ['a', 'b']) await write(blogId);
    await claim();
    await claim();
    expect(await die(1)).toMatchObject([
      { blogId: 'a', suspicion: 3 },
      { blogId: 'b', suspicion: 3 },
    ]);
    await write('c', 1);
    expect([await whoseIs('innocents', 1), await whoseIs('innocents', 1)]).toEqual(['c', null]);
    expect(await claims.isSuspectDue(db, at(1))).toBe(true);
    expect([await whoseIs('suspects', 1), await whoseIs('suspects', 1)]).toEqual(['a', 'b']);
    expect(await claims.isSuspectDue(db, at(1))).toBe(false);
    await clearSuspect(db, 'a');
    await fail('a', 2);
    expect([await whoseIs('suspects', 2), await whoseIs('innocents', 2)]).toEqual([null, 'a']);
  });

  it.each(['ended', 'alive'] as const)(
    'a builder that %s instead of dying makes no suspects',
    async (fate) => {
      await write('a');
      await claim(0, {}, -1);
      expect(await die(1, fate)).toEqual([]);
      expect(await whoseIs('innocents', 1)).toBe('a');
    },
  );

  it('a blog is set aside only after nine deaths of the whole server, and each death of a builder is three', async () => {
    const id = await write('a');
    const deaths = [...Array(6).fill('died with its server'), 'died'] as const;
    for (const [second, fate] of deaths.entries()) {
      expect(await statusOf(id)).toBe('queued');
      await claim(second);
      await die(second, fate);
    }
    expect(await statusOf(id)).toBe('failed');
  });

  it('a blog that was set aside is tried again after an hour', async () => {
    const id = await write('a');
    for (const second of [0, 1, 2]) {
      await claim(second);
      await die(second);
    }
    await claims.requeueDueFailures(db, at(3_601));
    expect(await statusOf(id)).toBe('failed');
    await claims.requeueDueFailures(db, at(3_602));
    expect([await whoseIs('suspects', 3_602), await statusOf(id)]).toEqual(['a', 'building']);
  });

  it('a blog is set aside after three deaths of a builder, until its next write and a pause', async () => {
    const id = await write('a');
    for (const second of [0, 1, 2]) {
      expect(await statusOf(id)).toBe('queued');
      await claim(second);
      await die(second);
    }
    expect(await queue.findReceipt(db, id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('set aside'),
    });
    expect(await listSetAside(db)).toMatchObject([{ blogId: 'a', suspicion: 9, diedAt: at(2) }]);
    await claims.requeueFailed(db, at(3_000));
    expect([await whoseIs('all', 3_000), await statusOf(id)]).toEqual([null, 'failed']);
    const next = await write('a', 3);
    expect([await whoseIs('suspects', 601), await whoseIs('innocents', 602)]).toEqual([null, null]);
    expect(await whoseIs('suspects', 602)).toBe('a');
    await clearSuspect(db, 'a');
    const { lastId, changes } = await queue.findWaitingChanges(db, 'a');
    expect(changes).toHaveLength(2);
    expect((await settle('a', lastId, 603)).sort()).toEqual([id, next].sort());
    expect(await listSetAside(db)).toEqual([]);
  });
});

describe('the order of claims', () => {
  it('blogs that clients wrote are claimed before blogs that an upgrade must rebuild', async () => {
    const upgrade = await queue.enqueueChange(db, 'a', { scope: 'blog' }, at(0), { isUpgrade: true });
    await queue.enqueueChange(db, 'b', { scope: 'blog' }, at(0), { isUpgrade: true });
    await write('c', 1);
    // A client's write moves a blog that waits for an upgrade to the other writes.
    expect(await write('b', 2)).not.toBe(upgrade);
    const order = [await claim(5), await claim(5), await claim(5)];
    expect(order.map((claimed) => claimed?.blogId)).toEqual(['b', 'c', 'a']);
  });

  it('small rebuilds are claimed before large ones, and one at a time for each account', async () => {
    await sql`insert into accounts (id, email, name, tier, created_at) values ('me', 'm', '', 'free', '')`.execute(
      db,
    );
    for (const blogId of ['large-1', 'large-2', 'small']) {
      await sql`insert into blogs (id, account_id, slug, name, description, created_at, updated_at)
        values (${blogId}, 'me', ${blogId}, '', '', '', '')`.execute(db);
    }
    for (const blogId of ['large-1', 'large-2']) for (let n = 0; n < 101; n += 1) await write(blogId);
    for (let n = 0; n < 100; n += 1) await write('small');
    expect((await claim(1))?.blogId).toBe('small');
    expect(await claim(1)).toBeNull();
    const large = { size: 'large' } as const;
    expect((await claim(1, large))?.blogId).toBe('large-1');
    expect(await claim(1, { ...large, exceptAccounts: ['me'] })).toBeNull();
    expect(await claim(1, { ...large, exceptAccounts: ['you'] })).toMatchObject({ blogId: 'large-2' });
  });

  it('a waiting retry counts as large once a write makes the blog’s rebuild large', async () => {
    await write('a');
    await claim();
    await fail('a', 2);
    for (let n = 0; n < 102; n += 1) await write('a', 1);
    expect(await claim(2)).toBeNull();
    expect(await claim(2, { size: 'large' })).toMatchObject({ blogId: 'a' });
  });

  it('a small change joins the large rebuild of its blog', async () => {
    for (let n = 0; n < 101; n += 1) await write('a');
    await claim(0, { size: 'large' });
    await write('a', 1);
    await fail('a', 2);
    expect(await claim(2)).toBeNull();
    expect(await claim(2, { size: 'large' })).toEqual({ blogId: 'a', attempt: 2 });
  });
});

describe('the rebuild queue of a suspended account', () => {
  it('a suspended account’s changes wait, except those that remove something from readers', async () => {
    await sql`insert into accounts (id, email, name, tier, created_at, suspended_at) values ('me', 'm', '', 'free', '', ${START})`.execute(
      db,
    );
    await sql`insert into blogs (id, account_id, slug, name, description, created_at, updated_at)
      values ('a', 'me', 'a', '', '', '', '')`.execute(db);
    await write('a');
    expect(await claim(1)).toBeNull();
    await remove('a', 2);
    expect((await claim(2))?.blogId).toBe('a');
  });
});

it('a removal that readers have waited for too long is reported as overdue', async () => {
  await write('a');
  await remove('b', 1);
  await remove('c', 2);
  expect(await queue.findOverdueRemovals(db, at(2))).toEqual([{ blogId: 'b', since: at(1) }]);
  await claim(2);
  await claim(2);
  await settle('b', (await queue.findWaitingChanges(db, 'b')).lastId, 3);
  expect(await queue.findOverdueRemovals(db, at(9))).toEqual([{ blogId: 'c', since: at(2) }]);
});

it('a removal that joins an older rebuild is overdue by its own time', async () => {
  await write('a');
  await remove('a', 3_600);
  await remove('a', 3_700);
  expect(await queue.findOverdueRemovals(db, at(3_600))).toEqual([]);
  expect(await queue.findOverdueRemovals(db, at(3_601))).toEqual([{ blogId: 'a', since: at(3_600) }]);
});

describe('settling a rebuild', () => {
  it('settling covers the changes in the snapshot, and leaves later ones', async () => {
    const first = await write('a');
    await claim();
    const { lastId } = await queue.findWaitingChanges(db, 'a');
    const second = await write('a', 1);
    expect(await settle('a', lastId, 2)).toEqual([first]);
    expect([await statusOf(first), await statusOf(second), await waiting('a')]).toEqual([
      'live',
      'queued',
      1,
    ]);
    expect(await claim(3)).toEqual({ blogId: 'a', attempt: 1 });
  });

  it('settling does not affect other blogs', async () => {
    await write('a');
    const other = await write('b');
    await claim();
    await claim();
    await settle('a', (await queue.findWaitingChanges(db, 'b')).lastId, 1);
    expect([await statusOf(other), await waiting('b'), await waiting('a')]).toEqual(['building', 1, 0]);
  });

  it('settling leaves a receipt', async () => {
    const id = await write('a');
    await claim(1);
    await settle('a', 1_000, 2);
    expect(await queue.findReceipt(db, id)).toEqual({
      id,
      blogId: 'a',
      status: 'live',
      ...outcome,
      queuedAt: START,
      liveAt: at(2),
      error: null,
    });
    expect(await queue.findReceipt(db, 'another')).toBeNull();
  });
});
