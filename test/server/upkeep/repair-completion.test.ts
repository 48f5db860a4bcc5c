// Slow: starts a builder thread, and waits for retries of a repair.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Blog } from '../../../server/blogs/blog.ts';
import { systemClock } from '../../../server/runtime/clock.ts';
import { openUpkeep } from '../../../server/upkeep/open-upkeep.ts';
import { silentProgress } from '../../../server/upkeep/progress.ts';
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

/** Makes a page impossible to write: a folder with a file in it takes its path. */
function hinder(path: string): string {
  const place = join(room.edgeDir, path);
  rmSync(place);
  mkdirSync(place);
  writeFileSync(join(place, '.of-somebody'), '');
  return place;
}

it('a repair without a server ends even if a blog with a pending rebuild fails', async () => {
  await room.stop();
  const { db } = room.services;
  await db.updateTable('blogs').set({ built_with: 'another version' }).execute();
  hinder('sites/ink/index.html');
  const begun = Date.now();
  // A minute passes in a tenth of a second, since the waits between attempts take long.
  const clock = { now: () => new Date(begun + (Date.now() - begun) * 600).toISOString() };
  const upkeep = await openUpkeep({ ...room.services, clock }, silentProgress);
  const { failures } = await upkeep.repair(everything, null);
  await upkeep.close();
  expect(failures).toEqual([expect.stringContaining('is in the way')]);
});

it('a repair continues by itself if the server stops in the meantime', async () => {
  const place = hinder('sites/ink/index.html');
  let scanned = false;
  const end = () => {
    scanned = true;
  };
  const services = { ...room.services, clock: systemClock };
  const upkeep = await openUpkeep(services, { ...silentProgress, end }, { serverChecks: 3 });
  const repaired = upkeep.repair(everything, null);
  while (!scanned) await sleep(10);
  // The repair waits for the server at this point.
  await sleep(500);
  await room.stop();
  rmSync(place, { recursive: true });
  expect((await repaired).failures).toEqual([]);
  await upkeep.close();
  expect((await room.read(blog)).get('index.html')).toContain('One');
});
