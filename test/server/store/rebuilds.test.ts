import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { later } from '../../../server/clock.ts';
import { type Db, openDatabase } from '../../../server/store/database.ts';
import { blogWork, dropLease } from '../../../server/store/leases.ts';
import { migrate } from '../../../server/store/migrate.ts';
import * as queue from '../../../server/store/rebuilds.ts';
import { takeOverFrom } from '../../../server/store/takeovers.ts';

const START = '2026-01-01T00:00:00.000Z';
const at = (seconds: number) => later(START, seconds * 1_000);
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
const holder = 'builder';
const claim = async (seconds = 0) => {
  const claimed = await queue.claimBlog(db, at(seconds), { holder, length: 1_000 });
  return claimed && { blogId: claimed.blogId, attempt: claimed.attempt };
};
const fail = async (blogId: string, retryAt: number, maxAttempts = 8) => {
  await dropLease(db, { work: blogWork(blogId), holder });
  await queue.releaseBlog(db, blogId, { error: 'disk full', retryAt: at(retryAt), maxAttempts });
};
const settle = async (blogId: string, lastId: number, seconds: number) => {
  await dropLease(db, { work: blogWork(blogId), holder });
  return queue.settleChanges(db, blogId, lastId, outcome, at(seconds));
};
const statusOf = async (id: string) => (await queue.findReceipt(db, id))?.status;
const waiting = async (blogId: string) => (await queue.findWaitingChanges(db, blogId)).changes.length;

describe('writes', () => {
  it('share a rebuild while it waits, by blog', async () => {
    const ids = [await write('a'), await write('a', 1), await write('a', 2)];
    expect(new Set(ids).size).toBe(1);
    expect(await write('b')).not.toBe(ids[0]);
    expect(await waiting('a')).toBe(3);
  });

  it('begin a new rebuild once the one before is being built', async () => {
    const first = await write('a');
    await claim();
    const second = await write('a', 1);
    expect(second).not.toBe(first);
    expect(await write('a', 2)).toBe(second);
    expect([await statusOf(first), await statusOf(second)]).toEqual(['building', 'queued']);
  });

  it('are read back as they were made, in their order', async () => {
    const before = {
      postId: 'p',
      slug: 's',
      publishedAt: '2026-01-01T00:00:00.000Z',
      run: 2,
      lists: [{ list: '日本', run: 1 }],
      redirects: ['old'],
    };
    await queue.enqueueChange(db, 'a', { scope: 'post', postId: 'p', before }, START);
    await queue.enqueueChange(db, 'a', { scope: 'blog' }, START);
    expect((await queue.findWaitingChanges(db, 'a')).changes).toEqual([
      { scope: 'post', postId: 'p', before },
      { scope: 'blog' },
    ]);
  });
});

describe('claiming', () => {
  it('takes the blog that has waited longest', async () => {
    await write('late', 2);
    await write('early', 1);
    expect([await claim(3), await claim(3), await claim(3)]).toEqual([
      { blogId: 'early', attempt: 1 },
      { blogId: 'late', attempt: 1 },
      null,
    ]);
  });

  it('passes over a blog that is being built, whatever waits for it', async () => {
    await write('busy', 0);
    await claim();
    await write('busy', 1);
    await write('other', 2);
    expect((await claim(3))?.blogId).toBe('other');
    expect(await claim(3)).toBeNull();
  });

  it('takes all that waits for the blog at once', async () => {
    const failed = await write('a');
    await claim();
    await fail('a', 100);
    const fresh = await write('a', 1);
    expect(await claim(2)).toEqual({ blogId: 'a', attempt: 2 });
    expect([await statusOf(failed), await statusOf(fresh)]).toEqual(['building', 'building']);
  });
});

describe('a rebuild that fails', () => {
  it('waits for its time, tells why, and counts its attempts', async () => {
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

  it('has failed after so many attempts, and is not tried again by itself', async () => {
    const id = await write('a');
    for (const attempt of [1, 2, 3]) {
      expect(await claim(attempt)).toEqual({ blogId: 'a', attempt });
      await fail('a', attempt + 1, 3);
    }
    expect(await queue.findReceipt(db, id)).toMatchObject({ status: 'failed', error: 'disk full' });
    expect(await claim(1_000)).toBeNull();
    expect(await waiting('a')).toBe(1);
  });

  it('does not take along one that is younger', async () => {
    const old = await write('a');
    await claim();
    await fail('a', 100);
    const young = await write('a', 1);
    await claim(2);
    await fail('a', 100, 2);
    expect([await statusOf(old), await statusOf(young)]).toEqual(['failed', 'queued']);
  });

  it('goes live with the next write that does', async () => {
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

  it('is tried again after a restart, from the first attempt', async () => {
    const id = await write('a');
    await claim();
    await fail('a', 1, 1);
    await queue.requeueFailed(db, at(5));
    expect(await statusOf(id)).toBe('queued');
    expect(await claim(5)).toEqual({ blogId: 'a', attempt: 1 });
  });
});

it('what a killed builder had claimed is built by the next, and its attempt counts', async () => {
  const id = await write('a');
  await claim();
  await takeOverFrom(db, holder, { isGone: true, now: START });
  expect(await statusOf(id)).toBe('queued');
  expect(await claim()).toEqual({ blogId: 'a', attempt: 2 });
});

describe('settling', () => {
  it('covers what the snapshot held, and leaves what was written since', async () => {
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

  it('leaves other blogs alone', async () => {
    await write('a');
    const other = await write('b');
    await claim();
    await claim();
    await settle('a', (await queue.findWaitingChanges(db, 'b')).lastId, 1);
    expect([await statusOf(other), await waiting('b'), await waiting('a')]).toEqual(['building', 1, 0]);
  });

  it('leaves a receipt', async () => {
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
