import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReadableEdge } from '../../../generator/edge/edge.ts';
import type { Db } from '../../../server/database/database.ts';
import { openDatabase } from '../../../server/database/dialect.ts';
import { migrate } from '../../../server/database/migrate.ts';
import type { IconMaker } from '../../../server/image-processing/icons/icon-maker.ts';
import { requestIcon } from '../../../server/media/blog-pictures/store.ts';
import { createImageVariants } from '../../../server/media/image-variants.ts';
import {
  countVariantAttempt,
  findImageDueForVariants,
  recordFailedVariants,
} from '../../../server/media/image-variants-store.ts';
import { createLog } from '../../../server/runtime/log.ts';

let db: Db;
beforeAll(async () => {
  db = openDatabase({ file: ':memory:', transactions: 'immediate', durable: false });
  await migrate(db);
});
afterAll(() => db.destroy());

/** Adds an image that is due on a day of January; null: not due. */
async function addImage(account: string, id: string, day: number | null, isIcon = false): Promise<void> {
  const dueAt = day === null ? null : `2026-01-0${day}T00:00:00.000Z`;
  await sql`insert into blogs (id, account_id, slug, name, description, created_at, updated_at)
    values (${`blog of ${account}`}, ${account}, ${`blog-${account}`}, '', '', '', '')
    on conflict do nothing`.execute(db);
  await sql`insert into images (id, blog_id, path, bytes, width, height, created_at, variants_due_at, is_icon)
    values (${id}, ${`blog of ${account}`}, ${`media/${id}`}, 1, 1, 1, '', ${dueAt}, ${isIcon ? 1 : 0})`.execute(
    db,
  );
}

const NOW = '2026-11-01T00:00:00.000Z';

describe('images that are due', () => {
  /** The order in which the images are tried. Those that `fails` accepts cannot be made. */
  async function tried({ fails = false } = {}): Promise<string[]> {
    const order: string[] = [];
    const made = createImageVariants({
      db,
      clock: { now: () => NOW },
      log: createLog('silent'),
      openEdge: async () => ({
        ...neverUsed<ReadableEdge>(),
        async read(path: string) {
          order.push(path.slice('media/'.length));
          if (fails) throw new Error('unreadable');
          return new Uint8Array();
        },
      }),
      maker: neverUsed(),
      iconMaker: {
        ...neverUsed<IconMaker>(),
        make: makeIcon,
      },
    });
    await made.make();
    return order;
  }
  const neverUsed = <T>(): T => ({}) as T;
  const makeIcon = vi.fn(async () => ({ squares: [], favicon: Buffer.from('x') }));

  beforeEach(async () => {
    makeIcon.mockClear();
    await sql`pragma foreign_keys = off`.execute(db);
    await sql`delete from images`.execute(db);
  });

  it('accounts take turns, however many images one of them has, each with its oldest first', async () => {
    await addImage('many', 'many-2', 2);
    await addImage('many', 'many-1', 1);
    await addImage('many', 'many-3', 3);
    await addImage('few', 'few-4', 4);
    await addImage('few', 'few-5', 5);
    await addImage('few', 'made', null);
    expect(await tried()).toEqual(['many-1', 'few-4', 'many-2', 'few-5', 'many-3']);
  });

  it('icons come before variants, of one account and of all', async () => {
    await addImage('many', 'many-1', 1);
    await addImage('many', 'many-icon', 5, true);
    await addImage('few', 'few-2', 2);
    await addImage('few', 'few-icon', 6, true);
    expect((await tried()).slice(0, 2).sort()).toEqual(['few-icon', 'many-icon']);
  });

  it('an image that becomes an icon has its variants made in a turn of their own', async () => {
    for (const n of [1, 2, 3]) await addImage('many', `icon-${n}`, n, true);
    await addImage('few', 'few-4', 4);
    await sql`update images set width = 2400, bytes = 1600000`.execute(db);
    expect(await tried()).toEqual(['icon-1', 'icon-2', 'icon-3', 'few-4', 'icon-1', 'icon-2', 'icon-3']);
    // Files of an icon that were written in the second turn could outlive a deletion of the image.
    expect(makeIcon).toHaveBeenCalledTimes(3);
  });

  it('an icon that has failed before has no precedence', async () => {
    await addImage('many', 'failed-icon', 5, true);
    await sql`update images set variant_attempts = 1`.execute(db);
    await addImage('few', 'few-2', 2);
    expect(await tried()).toEqual(['few-2', 'failed-icon']);
  });

  it('an attempt that fails waits for its retry; one that was interrupted is due again, and counted', async () => {
    await addImage('a', 'image', 1);
    const image = await findImageDueForVariants(db, 'a', NOW);
    expect(image).toMatchObject({ id: 'image', attempts: 0 });
    if (image) await countVariantAttempt(db, image);
    expect(await findImageDueForVariants(db, 'a', NOW)).toMatchObject({ id: 'image', attempts: 1 });
    expect(await tried({ fails: true })).toEqual(['image']);
    expect(await findImageDueForVariants(db, 'a', NOW)).toBeNull();
    const later = '2026-11-01T02:00:00.000Z';
    expect(await findImageDueForVariants(db, 'a', later)).toMatchObject({ attempts: 2 });
  });

  it('an image that becomes an icon while an attempt fails is due at once', async () => {
    await addImage('a', 'image', 1);
    const image = await findImageDueForVariants(db, 'a', NOW);
    if (!image) throw new Error('no image is due');
    await countVariantAttempt(db, image);
    await requestIcon(db, 'image', NOW);
    await recordFailedVariants(db, image, '2026-11-01T02:00:00.000Z');
    expect(await findImageDueForVariants(db, 'a', NOW)).toMatchObject({ isIcon: true, attempts: 0 });
  });
});

it('what is due is looked up in an index, and so is who waits for it', async () => {
  const plan = async (query: string) => {
    const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(query)}`.execute(db);
    return rows.map((row) => row.detail).join('; ');
  };
  expect(
    await plan(`select account_id, max(is_icon) from images inner join blogs on blogs.id = images.blog_id
      where variants_due_at <= 'x' group by account_id order by min(variants_due_at)`),
  ).toMatch(/SEARCH images USING (COVERING )?INDEX images_variants_due/);
  expect(await plan(`select post_id from posts_awaiting_variants where image_id = 'x'`)).toMatch(
    /^SEARCH posts_awaiting_variants/,
  );
  expect(await plan(`delete from posts_awaiting_variants where post_id = 'x'`)).toMatch(
    /^SEARCH posts_awaiting_variants/,
  );
});
