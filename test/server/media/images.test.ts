import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Edge } from '../../../generator/edge/edge.ts';
import { memoised } from '../../../generator/workers/memoised.ts';
import type { Caller } from '../../../server/access/caller.ts';
import { insertAccount } from '../../../server/accounts/store.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { createServices, type Services } from '../../../server/compose.ts';
import { readConfig } from '../../../server/config/config.ts';
import { createImages, type Images } from '../../../server/media/images.ts';
import { orphanImages } from '../../../server/media/store.ts';
import { handClock } from '../../support/gate.ts';
import { tinyGif } from '../../support/pictures.ts';

const HOUR = 3_600_000;

/** An edge in memory, with hooks that a test may set. */
function memoryEdge() {
  const files = new Map<string, number>();
  const hooks = { before: async (_path: string): Promise<void> => {}, after: async (): Promise<void> => {} };
  let forget = async (_paths: readonly string[]): Promise<number> => 0;
  const opened: Edge = {
    concurrency: 16,
    async write(path, bytes) {
      await hooks.before(path);
      files.set(path, bytes.length);
      await hooks.after();
    },
    async remove(paths) {
      for (const path of paths) {
        await hooks.before(path);
        files.delete(path);
      }
    },
    invalidate: (paths) => forget(paths),
  };
  const onInvalidate = (next: typeof forget) => {
    forget = next;
  };
  return { files, hooks, opened, onInvalidate };
}

let dataDir: string;
let services: Services;
let caller: Caller;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'platen-test-'));
  services = await createServices(readConfig({ PLATEN_DATA_DIR: dataDir, LOG_LEVEL: 'error' }));
  const { db, credentials } = services;
  const account = { id: uuid(), email: 'a@example.org', name: 'A', tier: 'enterprise' } as const;
  await insertAccount(db, { ...account, createdAt: services.clock.now() });
  const key = { accountId: account.id, blogId: null, name: 'Test', scopes: ['*'], expiresAt: null } as const;
  caller = await credentials.authenticate((await credentials.issue(key)).secret);
});
afterAll(async () => {
  await services.close();
  rmSync(dataDir, { recursive: true });
});

let blog: Blog;
let clock: ReturnType<typeof handClock>;
let edge: ReturnType<typeof memoryEdge>;
let images: Images;
const cleaner = { clean: async () => ({ bytes: tinyGif(), width: 1, height: 1 }) };
beforeEach(async () => {
  const slug = `blog-${uuid()}`;
  blog = (await services.blogs.create(caller, { slug, name: 'Blog', description: '' })).blog;
  clock = handClock();
  edge = memoryEdge();
  images = createImages({
    db: services.db,
    clock,
    cleaner,
    openEdge: async () => edge.opened,
    upgradeUrl: '',
    onStored() {},
  });
});

const upload = () => images.upload(caller, blog, { bytes: tinyGif(), type: 'image/gif' });

/** Paths of the blog in a table. */
async function pathsIn(table: 'images' | 'orphaned_media'): Promise<string[]> {
  const ofBlog = services.db.selectFrom(table).where('path', 'like', `media/${blog.id}/%`);
  return (await ofBlog.select('path').orderBy('path').execute()).map((row) => row.path);
}
const rows = () => pathsIn('images');
const strays = () => pathsIn('orphaned_media');

it('an upload is acknowledged once its file and row exist, and no sweep removes it', async () => {
  const { path } = await upload();
  expect([[...edge.files.keys()], await rows(), await strays()]).toEqual([[path], [path], []]);
  clock.moveOn(2 * HOUR);
  await images.removeOrphans();
  expect([[...edge.files.keys()], await rows()]).toEqual([[path], [path]]);
});

it('a path is recorded as orphaned media before a file is written there', async () => {
  const seen: string[][] = [];
  edge.hooks.before = async () => void seen.push(await strays());
  const { path } = await upload();
  expect(seen).toEqual([[path]]);
});

describe('an upload that is interrupted', () => {
  it.each([
    ['before its file is written', 'before'],
    ['when its file is written', 'after'],
  ] as const)(
    'an upload that is interrupted %s leaves no file behind an hour later',
    async (_name, moment) => {
      edge.hooks[moment] = () => Promise.reject(new Error('killed'));
      await expect(upload()).rejects.toThrow('killed');
      edge.hooks[moment] = async () => {};
      expect(await rows()).toEqual([]);
      expect(await strays()).toHaveLength(1);

      clock.moveOn(HOUR - 1);
      await images.removeOrphans();
      expect(await strays()).toHaveLength(1);
      clock.moveOn(1);
      await images.removeOrphans();
      expect([[...edge.files], await strays()]).toEqual([[], []]);
    },
  );

  it('an upload whose blog is deleted during it is refused, and leaves no file behind', async () => {
    edge.hooks.before = async () => {
      edge.hooks.before = async () => {};
      await services.removal.deleteBlog(caller, blog.id);
    };
    await expect(upload()).rejects.toMatchObject({ code: 'not_found' });
    clock.moveOn(HOUR);
    await images.removeOrphans();
    expect([[...edge.files], await rows(), await strays()]).toEqual([[], [], []]);
  });
});

describe('the images of a deleted blog', () => {
  const removeAll = () => services.db.transaction().execute((tx) => orphanImages(tx, blog.id));

  it('images of a deleted blog are removed by the next sweep', async () => {
    const uploaded = [await upload(), await upload()].map(({ path }) => path).sort();
    await removeAll();
    expect([await rows(), await strays()]).toEqual([[], uploaded]);
    await images.removeOrphans();
    expect([[...edge.files], await strays()]).toEqual([[], []]);
  });

  it('images of a deleted blog are invalidated in caches, with retries', async () => {
    const { path } = await upload();
    await removeAll();
    edge.onInvalidate(async () => Promise.reject(new Error('too many in progress')));
    await expect(images.removeOrphans()).rejects.toThrow('too many in progress');
    expect(await strays()).toEqual([path]);
    const forgotten: string[] = [];
    edge.onInvalidate(async (paths) => forgotten.push(...paths));
    await images.removeOrphans();
    expect([forgotten, await strays()]).toEqual([[path], []]);
  });

  it('images of a blog stay if the transaction of its deletion fails', async () => {
    const { path } = await upload();
    const failing = services.db.transaction().execute(async (tx) => {
      await orphanImages(tx, blog.id);
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    await images.removeOrphans();
    expect([[...edge.files.keys()], await rows()]).toEqual([[path], [path]]);
  });

  it('failed removals of images are retried, and do not delay other removals', async () => {
    const [first, second] = [await upload(), await upload()];
    await removeAll();
    edge.hooks.before = async (path) => {
      if (path === first.path) throw new Error('the edge is away');
    };
    await expect(images.removeOrphans()).rejects.toThrow('the edge is away');
    expect([...edge.files.keys()]).toEqual([first.path]);
    expect(await strays()).toEqual([first.path]);
    edge.hooks.before = async () => {};
    await images.removeOrphans();
    expect([[...edge.files], await strays()]).toEqual([[], []]);
    expect(second.path).not.toBe(first.path);
  });
});

it('an edge that cannot be opened is tried again', async () => {
  let opens = 0;
  const openEdge = memoised(async () => {
    opens += 1;
    if (opens === 1) throw new Error('no room');
    return edge.opened;
  });
  images = createImages({ db: services.db, clock, cleaner, openEdge, upgradeUrl: '', onStored() {} });
  await expect(upload()).rejects.toThrow('no room');
  await upload();
  await upload();
  expect(opens).toBe(2);
});
