// Slow: starts a builder thread, and makes the variants of an image.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Blog } from '../../../server/blogs/blog.ts';
import { type Newsroom, openNewsroom } from '../../support/newsroom.ts';
import { picture } from '../../support/pictures.ts';

const everything = { blog: null, quick: false };

let room: Newsroom;
let blog: Blog;

beforeEach(async () => {
  room = await openNewsroom();
  blog = await room.newBlog('ink');
  await room.untilIdle();
});
afterEach(() => room.close());

it('two repairs before a lost variant is made again remove no other variant', async () => {
  const { db, images, imageVariants } = room.services;
  const bytes = await picture(900, 300).png().toBuffer();
  await images.upload(room.caller, blog, { bytes, type: 'image/png' });
  const variants = async () => {
    const rows = await db.selectFrom('image_variants').select('path').orderBy('path').execute();
    return rows.map(({ path }) => path);
  };
  await vi.waitFor(
    async () => {
      await imageVariants.make();
      expect((await variants()).length).toBeGreaterThan(1);
    },
    { timeout: 100_000 },
  );
  const before = await variants();
  const [lost = '', ...others] = before;
  await room.edge.remove([lost]);
  const repair = () => room.upkeep((upkeep) => upkeep.repair(everything, null));
  for (let time = 0; time < 2; time++) {
    const { drift } = (await repair()).verification;
    expect(drift.map(({ kind, path }) => `${kind} ${path}`)).toEqual([`lost ${lost}`]);
    await images.removeOrphans();
    for (const path of others) expect((await room.edge.read(path)).length).toBeGreaterThan(0);
  }
  await imageVariants.make();
  expect((await room.edge.read(lost)).length).toBeGreaterThan(0);
  expect(await variants()).toEqual(before);
  expect((await repair()).verification.isInStep).toBe(true);
});
