// Slow: starts a builder and the S3 server of the tests.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../../server/config/config.ts';
import { openUpkeep } from '../../../server/upkeep/open-upkeep.ts';
import { silentProgress } from '../../../server/upkeep/progress.ts';
import { type Newsroom, openNewsroom } from '../../support/newsroom.ts';
import { type S3Server, useS3Server } from '../../support/s3-server.ts';

let s3: S3Server;
let bucket: string;
let room: Newsroom;

beforeAll(async () => {
  s3 = await useS3Server();
}, 300_000);
afterAll(() => s3.release());
beforeEach(async () => {
  bucket = await s3.newBucket();
});
afterEach(() => room.close());

const everything = { blog: null, quick: false };

it('an edge of another installation is neither verified nor repaired', async () => {
  room = await openNewsroom({ server: s3, bucket });
  const theirs = new Map([
    ['platen.json', '{"installation":"another"}'],
    ['sites/theirs/index.html', 'theirs'],
    ['media/aa/theirs.png', 'theirs'],
  ]);
  for (const [path, text] of theirs) await room.edge.write(path, Buffer.from(text));
  const refused = /^bucket .*: another installation publishes there \(another; .*set S3_BUCKET to another/;
  await expect(room.upkeep((upkeep) => upkeep.verify(everything))).rejects.toThrow(refused);
  await expect(room.upkeep((upkeep) => upkeep.repair(everything, null))).rejects.toThrow(refused);
  expect(await s3.read(bucket, '')).toEqual(theirs);
});

it('an unclaimed edge stays unclaimed when it is verified, and is claimed when it is repaired', async () => {
  room = await openNewsroom({ server: s3, bucket });
  await room.upkeep((upkeep) => upkeep.verify(everything));
  expect([...(await s3.read(bucket, 'platen')).keys()]).toEqual([]);
  await room.upkeep((upkeep) => upkeep.repair(everything, null));
  expect([...(await s3.read(bucket, 'platen')).keys()]).toEqual(['platen.json']);
});

it('an edge other than the running server’s is not repaired', async () => {
  room = await openNewsroom();
  await room.services.prepareEdge();
  await room.publish(await room.newBlog('ink'), 'One');
  await room.untilIdle();
  const config = readConfig({
    PLATEN_DATA_DIR: room.config.dataDir,
    LOG_LEVEL: 'silent',
    ...s3.env(bucket),
  });
  const upkeep = await openUpkeep({ ...room.services, config }, silentProgress);
  const refused = `the server no longer publishes to bucket ${bucket}: run this command with the server's settings`;
  await expect(upkeep.verify(everything)).rejects.toThrow(refused);
  await expect(upkeep.repair(everything, null)).rejects.toThrow(refused);
  expect([...(await s3.read(bucket, '')).keys()]).toEqual([]);
  // Without a server, these may be its future settings.
  await room.stop();
  expect((await upkeep.verify(everything)).isInStep).toBe(false);
  await upkeep.close();
});
