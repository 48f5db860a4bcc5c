// Slow: starts a whole server, and waits until the pages of deleted blogs are removed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMilliseconds } from '../../../server/runtime/clock.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

const DAY_MS = 24 * 60 * 60 * 1000;
const wait = { Prefer: 'wait=60' };
const deleteBlog = (author: Author) => author.call('DELETE', `/blogs/${author.blogId}`, undefined, wait);
const take = (author: Author, slug: string) =>
  author.call('POST', '/blogs', { slug, name: 'Mine now' }, wait);
const restOf = (slug: string) =>
  platen.services.db.selectFrom('held_slugs').selectAll().where('slug', '=', slug).executeTakeFirst();
/** Sets the end of a slug's hold to this many milliseconds from now. */
const leave = (slug: string, ms: number) =>
  platen.services.db
    .updateTable('held_slugs')
    .set({ expires_at: addMilliseconds(platen.services.clock.now(), ms) })
    .where('slug', '=', slug)
    .execute();

describe('the held slug of a deleted blog', () => {
  it('a slug is held for 30 days, and the refusal gives the date but not the former owner', async () => {
    const [author, other] = [await newAuthor(platen), await newAuthor(platen)];
    const deletedAt = platen.services.clock.now();
    await deleteBlog(author);
    const until = (await restOf(author.blogSlug))?.expires_at ?? '';
    expect(until >= addMilliseconds(deletedAt, 30 * DAY_MS)).toBe(true);
    expect(until <= addMilliseconds(platen.services.clock.now(), 30 * DAY_MS)).toBe(true);

    const refused = await take(other, author.blogSlug);
    expectRefusal(
      refused,
      409,
      new RegExp(`"${author.blogSlug}" belonged to a deleted blog: choose another, or wait until ${until}`),
    );
    expect(refused.text).not.toContain(author.accountId);
    expect((await other.call('GET', '/blogs')).json.data).toHaveLength(1);

    await leave(author.blogSlug, 60_000);
    expectRefusal(await take(other, author.blogSlug), 409, /or wait until/);
    await leave(author.blogSlug, 0);
    expect((await take(other, author.blogSlug)).status).toBe(201);
    expect((await platen.read(author.blogSlug, '/')).text).toContain('Mine now');
  });

  it('a held slug is free for its own account at once, and is held again after the next deletion', async () => {
    const [author, other] = [await newAuthor(platen), await newAuthor(platen)];
    await deleteBlog(author);
    const { json } = await take(author, author.blogSlug);
    expect(await restOf(author.blogSlug)).toBeUndefined();
    expectRefusal(await take(other, author.blogSlug), 409, /is taken/);
    await author.call('DELETE', `/blogs/${json.id}`, undefined, wait);
    expectRefusal(await take(other, author.blogSlug), 409, /or wait until/);
    expect((await take(author, author.blogSlug)).status).toBe(201);
  });

  it('a slug of a deleted account is held for everybody, without any record of the account', async () => {
    const [author, other] = [await newAuthor(platen), await newAuthor(platen)];
    const second = `${author.blogSlug}-second`;
    await take(author, second);
    // One blog was deleted before; the other is deleted with the account.
    await deleteBlog(author);
    await author.call('POST', '/account/delete');
    for (const slug of [author.blogSlug, second]) {
      expect(await restOf(slug)).toMatchObject({ account_id: null });
      await expect
        .poll(async () => (await take(other, slug)).json)
        .toMatchObject({ error: 'conflict', message: expect.stringContaining('or wait until') });
      await leave(slug, 0);
      await expect.poll(async () => (await take(other, slug)).status).toBe(201);
    }
  });

  it('a slug is not free before the old pages are removed, for its own account and after the hold too', async () => {
    const [author, other] = [await newAuthor(platen), await newAuthor(platen)];
    await deleteBlog(author);
    const { db } = platen.services;
    const removal = { blog_id: author.blogId, slug: author.blogSlug };
    await db.insertInto('removals').values(removal).execute();
    expectRefusal(await take(author, author.blogSlug), 409, /pages are being removed/);
    await leave(author.blogSlug, 0);
    expectRefusal(await take(other, author.blogSlug), 409, /pages are being removed/);
    await db.deleteFrom('removals').where('blog_id', '=', author.blogId).execute();
    expect((await take(other, author.blogSlug)).status).toBe(201);
  });
});
