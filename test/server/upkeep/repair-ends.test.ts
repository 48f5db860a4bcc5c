import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Blog } from '../../../server/blogs/store.ts';
import { systemClock } from '../../../server/runtime/clock.ts';
import { openUpkeep } from '../../../server/upkeep/open-upkeep.ts';
import { silent } from '../../../server/upkeep/progress.ts';
import { type Newsroom, openNewsroom } from '../../support/newsroom.ts';

const everything = { blog: null, quick: false };

let room: Newsroom;
let blog: Blog;

beforeEach(async () => {
  room = await openNewsroom();
  blog = await room.newBlog('ink');
  await room.publish(blog, 'One');
  await room.untilIdle();
});
afterEach(() => room.close());

/** Has a page be missing that cannot be written: a folder with something in it is in its place. */
function hinder(path: string): string {
  const place = join(room.edgeDir, path);
  rmSync(place);
  mkdirSync(place);
  writeFileSync(join(place, '.of-somebody'), '');
  return place;
}

it('ends without a server where a blog fails that is also to be pressed otherwise', async () => {
  await room.stop();
  const { db } = room.services;
  await db.updateTable('blogs').set({ built_with: 'another version' }).execute();
  hinder('sites/ink/index.html');
  const begun = Date.now();
  // A minute in a tenth of a second: it is the waits between attempts that take long.
  const clock = { now: () => new Date(begun + (Date.now() - begun) * 600).toISOString() };
  const upkeep = await openUpkeep({ ...room.services, clock }, silent);
  const { failures } = await upkeep.repair(everything, null);
  await upkeep.close();
  expect(failures).toEqual([expect.stringContaining('a folder is in the way')]);
});

it('goes on by itself where the server ends meanwhile', async () => {
  const place = hinder('sites/ink/index.html');
  let scanned = false;
  const end = () => {
    scanned = true;
  };
  const services = { ...room.services, clock: systemClock };
  const upkeep = await openUpkeep(services, { ...silent, end }, { serverLooks: 3 });
  const repaired = upkeep.repair(everything, null);
  while (!scanned) await sleep(10);
  // Now it waits for the server.
  await sleep(500);
  await room.stop();
  rmSync(place, { recursive: true });
  expect((await repaired).failures).toEqual([]);
  await upkeep.close();
  expect((await room.read(blog)).get('index.html')).toContain('One');
});
