import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { edgeOf } from '../../../generator/edge/edge-kinds.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { openBuilder } from '../../../server/builder/open-builder.ts';
import { type Config, readConfig } from '../../../server/config/config.ts';
import { setPublishedEdge } from '../../../server/installation/store.ts';
import { type Newsroom, openNewsroom, pagesIn } from '../../support/newsroom.ts';
import { picture } from '../../support/pictures.ts';
import { hurryBase, plainBases } from '../../support/plain-search-indexes.ts';
import { type S3Server, useS3Server } from '../../support/s3-server.ts';
import { cleanBuild, deadEnds, differences, plainCards, readEdge } from '../../support/site-builder.ts';

// Slow: copies blogs between a folder and a real S3 server while readers follow every link, and kills some copies to
// repeat them.

const admin = fileURLToPath(new URL('../../../scripts/platen-admin.js', import.meta.url));

let s3: S3Server;
let bucket: string;
let room: Newsroom;
let blog: Blog;

beforeAll(async () => {
  s3 = await useS3Server();
}, 300_000);
afterAll(() => s3.release());
beforeEach(async () => {
  bucket = await s3.newBucket();
});
afterEach(() => room.close());

/** Configuration of the same installation with another edge. */
const configWith = (env: Record<string, string>): Config =>
  readConfig({ PLATEN_DATA_DIR: room.config.dataDir, LOG_LEVEL: 'silent', ...env });
const inBucket = () => configWith(s3.env(bucket));
const inFolder = () => configWith({});

async function openWith(where: 'folder' | 'bucket', posts: number): Promise<void> {
  room = await openNewsroom(where === 'bucket' ? { server: s3, bucket } : undefined);
  blog = await room.newBlog('ink');
  for (let n = 0; n < posts; n++) await room.publish(blog, `Post ${n}`, [`tag-${n % 2}`]);
  await room.untilIdle();
  await hurryBase(room, blog);
  await room.untilIdle();
}

const copyTo = (to: Config) => room.upkeep((upkeep) => upkeep.copy(to, { followUntil: null }));

const countIn = async (Bucket: string): Promise<number> =>
  (await s3.client.send(new ListObjectsV2Command({ Bucket, Prefix: 'sites/' }))).KeyCount ?? 0;

const edges = {
  folder: {
    config: () => inFolder(),
    read: async () => readEdge(join(room.config.dataDir, 'edge'), 'ink'),
    other: 'bucket',
  },
  bucket: { config: () => inBucket(), read: () => s3.readBlog(bucket, 'ink'), other: 'folder' },
} as const;

describe.each(['folder', 'bucket'] as const)('copying the edge from a %s', (source) => {
  const target = edges[edges[source].other];

  it('a copy has the same files and images, and a second copy writes nothing', async () => {
    await openWith(source, 12);
    const bytes = await picture().png().toBuffer();
    const upload = { bytes, type: 'image/png' } as const;
    const image = await room.services.images.upload(room.caller, blog, upload);
    const first = await copyTo(target.config());
    expect(first).toMatchObject({ blogs: 1, isComplete: true, lost: [] });
    expect(differences(await target.read(), await room.read(blog))).toEqual([]);
    const there = await edgeOf(target.config().edge).open();
    expect(Buffer.from(await there.read(image.path))).toEqual(Buffer.from(await room.edge.read(image.path)));
    // Hosts and headers are written each time, for everything that depends on them.
    expect((await copyTo(target.config())).files).toBe(2);
  });

  it('readers of the target find every linked page while posts come and go during a copy', {
    timeout: 120_000,
  }, async () => {
    await openWith(source, 11);
    let done = false;
    const publishing = (async () => {
      for (let n = 0; n < 20; n++) {
        const slug = await room.publish(blog, `Busy ${n}`, [`tag-${n % 5}`]);
        if (n % 4 === 3) await room.services.posts.remove(blog, slug);
        // Slow enough that readers, who need a while in a bucket, see the copy grow.
        await sleep(60);
      }
      done = true;
    })();
    const copying = (async () => {
      let last = await copyTo(target.config());
      while (!done || !last.isComplete) last = await copyTo(target.config());
    })();
    const broken: string[] = [];
    /** Page counts that readers found once there was a front page. */
    const sizes = new Set<number>();
    let copied = false;
    void copying.finally(() => {
      copied = true;
    });
    while (!copied) {
      // Reading and following every link takes a whole processor, which the copy needs as well.
      await sleep(100);
      const files = await target.read();
      if (files.has('index.html')) sizes.add(files.size);
      // Files are read one after the other, so a missing one is checked again.
      const missing = deadEnds(files);
      if (missing.length === 0) continue;
      const again = new Set(deadEnds(await target.read()));
      broken.push(...missing.filter((link) => again.has(link)));
    }
    await Promise.all([publishing, copying]);
    expect(broken).toEqual([]);
    expect(sizes.size).toBeGreaterThan(2);
    await room.untilIdle();
    await copyTo(target.config());
    expect(differences(pagesIn(await target.read()), pagesIn(await cleanBuild(room, blog)))).toEqual([]);
  });

  it('a copy removes files from the target that are gone at the source', async () => {
    await openWith(source, 3);
    const other = await room.newBlog('other');
    await room.untilIdle();
    await copyTo(target.config());
    await room.services.posts.remove(blog, 'post-1');
    await room.services.removal.deleteBlog(room.caller, other.id);
    await room.untilIdle();
    await copyTo(target.config());
    const files = await target.read();
    expect([files.has('post-1/index.html'), files.has('post-2/index.html')]).toEqual([false, true]);
    expect(differences(files, await room.read(blog))).toEqual([]);
    if (source === 'folder') expect(await s3.read(bucket, 'sites/other/')).toEqual(new Map());
  });
});

it('a following copy includes new posts until it is stopped', async () => {
  await openWith('folder', 3);
  const stopping = new AbortController();
  const following = room.upkeep((upkeep) => upkeep.copy(inBucket(), { followUntil: stopping.signal }));
  const thereIs = (path: string, expected: boolean) =>
    vi.waitFor(async () => expect((await edges.bucket.read()).has(path)).toBe(expected), {
      timeout: 100_000,
      interval: 200,
    });
  await thereIs('index.html', true);
  const bytes = await picture().png().toBuffer();
  const image = await room.services.images.upload(room.caller, blog, { bytes, type: 'image/png' });
  const slug = await room.publish(blog, 'Meanwhile');
  await thereIs(`${slug}/index.html`, true);
  expect([...(await s3.read(bucket, 'media/')).keys()]).toContain(image.path);
  await room.services.posts.remove(blog, slug);
  await room.publish(blog, 'At last');
  await thereIs(`${slug}/index.html`, false);
  await room.untilIdle();
  stopping.abort();
  expect(await following).toMatchObject({ blogs: 1, isComplete: true, lost: [] });
  expect(differences(await edges.bucket.read(), await room.read(blog))).toEqual([]);
});

it('a following copy ends once a server publishes to its target', async () => {
  await openWith('folder', 3);
  const following = room.upkeep((upkeep) =>
    upkeep.copy(inBucket(), { followUntil: new AbortController().signal }),
  );
  const ended = expect(following).rejects.toThrow(`a server now publishes to bucket ${bucket}`);
  await vi.waitFor(async () => expect((await edges.bucket.read()).has('index.html')).toBe(true), {
    timeout: 100_000,
    interval: 200,
  });
  await setPublishedEdge(room.services.db, edgeOf(inBucket().edge).name);
  await room.publish(blog, 'Too late');
  await room.untilIdle();
  await ended;
  expect((await edges.bucket.read()).has('too-late/index.html')).toBe(false);
});

it('a start on another edge detects the move and rebuilds everything, whatever is on that edge', async () => {
  await openWith('folder', 3);
  await copyTo(inBucket());
  // Published after the last copy, and damaged on the target.
  await room.publish(blog, 'Late');
  await room.untilIdle();
  await room.stop();
  const config = inBucket();
  const options = { cards: plainCards, bases: plainBases(config), clock: room.clock };
  const builder = await openBuilder(config, options);
  await builder.drain();
  await builder.close();
  expect(
    differences(pagesIn(await s3.readBlog(bucket, 'ink')), pagesIn(await cleanBuild(room, blog))),
  ).toEqual([]);
  // The next start has nothing to do, and nobody may copy over a server's edge.
  const again = await openBuilder(config, options);
  const queued = () => room.services.db.selectFrom('rebuilds').select('id').execute();
  const before = await queued();
  await again.drain();
  await again.close();
  expect(await queued()).toEqual(before);
  await expect(copyTo(inBucket())).rejects.toThrow('a server now publishes to bucket');

  // Back to the folder, which by now has an older state.
  const back = await openBuilder(inFolder(), { ...options, indexMaker: plainBases(inFolder()) });
  await back.drain();
  await back.close();
  expect(differences(pagesIn(await edges.folder.read()), pagesIn(await cleanBuild(room, blog)))).toEqual([]);
});

it('a copy is refused if the target has blogs or belongs to another installation', async () => {
  await openWith('folder', 1);
  await expect(copyTo(inFolder())).rejects.toThrow('blogs are already published to');
  await s3.client.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: 'platen.json',
      Body: '{"installation":"theirs"}',
    }),
  );
  await expect(copyTo(inBucket())).rejects.toThrow('another installation publishes there (theirs');
});

it('a copy that is killed repeatedly is completed by the next one', { timeout: 300_000 }, async () => {
  await openWith('folder', 30);
  const settings = join(room.config.dataDir, 's3.env');
  const lines = Object.entries(s3.env(bucket)).map(([name, value]) => `${name}=${value}`);
  writeFileSync(settings, lines.join('\n'));
  const run = () =>
    spawn(process.execPath, [admin, 'edge', 'copy', '--to', settings, '--json'], {
      env: { PATH: process.env.PATH, PLATEN_DATA_DIR: room.config.dataDir, LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const whole = (await room.read(blog)).size;
  const counts: number[] = [];
  for (let round = 0; round < 5; round++) {
    const child = run();
    const exited = once(child, 'exit');
    // As soon as this copy has come further than the previous one.
    while (child.exitCode === null && (await countIn(bucket)) <= (counts.at(-1) ?? 0)) await sleep(20);
    child.kill('SIGKILL');
    await exited;
    const files = await s3.readBlog(bucket, 'ink');
    counts.push(files.size);
    expect(deadEnds(files)).toEqual([]);
  }
  // At least the first copy was interrupted midway.
  expect(counts[0]).toBeLessThan(whole);
  const last = run();
  let out = '';
  last.stdout.setEncoding('utf8').on('data', (chunk) => {
    out += chunk;
  });
  expect(await once(last, 'close')).toEqual([0, null]);
  expect(JSON.parse(out)).toMatchObject({ complete: true, blogs: 1, lost: [] });
  expect(differences(await s3.readBlog(bucket, 'ink'), await room.read(blog))).toEqual([]);
  expect(counts).toEqual([...counts].sort((one, other) => one - other));
});
