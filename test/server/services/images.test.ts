import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Edge } from '../../../generator/edge/edge.ts';
import { tierOf } from '../../../server/domain/tier.ts';
import { createImages, type Images } from '../../../server/services/images.ts';
import { type Blog, findBlog } from '../../../server/store/blogs.ts';
import { handClock } from '../../support/held.ts';
import { tinyGif } from '../../support/pictures.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { newAuthor } from '../http/author.ts';

const HOUR = 3_600_000;

/** An edge in memory, that can be told to fail or to do something else first. */
function memoryEdge() {
  const files = new Map<string, number>();
  const edge = { before: async (_path: string): Promise<void> => {}, after: async (): Promise<void> => {} };
  const opened: Edge = {
    async write(path, bytes) {
      await edge.before(path);
      files.set(path, bytes.length);
      await edge.after();
    },
    async remove(path) {
      await edge.before(path);
      files.delete(path);
    },
  };
  return { ...edge, files, opened, edge };
}

let platen: TestPlaten;
let blog: Blog;
let clock: ReturnType<typeof handClock>;
let edge: ReturnType<typeof memoryEdge>;
let images: Images;
beforeEach(async () => {
  platen = await startTestPlaten();
  const { blogId } = await newAuthor(platen);
  const { db } = platen.services;
  blog = (await findBlog(db, blogId)) ?? expect.fail();
  clock = handClock();
  edge = memoryEdge();
  const cleaner = { clean: async () => ({ bytes: tinyGif(), width: 1, height: 1 }) };
  images = createImages({ db, clock, cleaner, openEdge: async () => edge.opened });
});
afterEach(() => platen.close());

const upload = () =>
  images.upload(
    { credentialId: '', accountId: blog.accountId, tier: tierOf('scale'), scopes: ['*'], boundBlogId: null },
    blog,
    { bytes: tinyGif(), type: 'image/gif' },
  );

const rows = async () => {
  const found = await platen.services.db.selectFrom('images').select('path').execute();
  return found.map((row) => row.path);
};
const strays = async () => {
  const found = await platen.services.db.selectFrom('stray_media').select('path').execute();
  return found.map((row) => row.path);
};

it('an upload is answered when its file and its row are there, and no sweep takes it', async () => {
  const { path } = await upload();
  expect([[...edge.files.keys()], await rows(), await strays()]).toEqual([[path], [path], []]);
  clock.moveOn(2 * HOUR);
  await images.sweep();
  expect([[...edge.files.keys()], await rows()]).toEqual([[path], [path]]);
});

it('a path is known to be stray before anything lies there', async () => {
  const seen: string[][] = [];
  edge.edge.before = async () => void seen.push(await strays());
  const { path } = await upload();
  expect(seen).toEqual([[path]]);
});

describe('an upload that dies', () => {
  it.each([
    ['before its file is written', 'before'],
    ['when its file is written', 'after'],
  ] as const)('%s leaves nothing behind, an hour later', async (_name, moment) => {
    edge.edge[moment] = () => Promise.reject(new Error('killed'));
    await expect(upload()).rejects.toThrow('killed');
    edge.edge[moment] = async () => {};
    expect(await rows()).toEqual([]);
    expect(await strays()).toHaveLength(1);

    clock.moveOn(HOUR - 1);
    await images.sweep();
    expect(await strays()).toHaveLength(1);
    clock.moveOn(1);
    await images.sweep();
    expect([[...edge.files], await strays()]).toEqual([[], []]);
  });

  it('because its blog is deleted meanwhile is told so, and leaves nothing behind', async () => {
    const caller = await newAuthorOf(blog);
    edge.edge.before = async () => {
      edge.edge.before = async () => {};
      await platen.services.removal.deleteBlog(caller, blog.id);
    };
    await expect(upload()).rejects.toMatchObject({ code: 'not_found' });
    clock.moveOn(HOUR);
    await images.sweep();
    expect([[...edge.files], await rows(), await strays()]).toEqual([[], [], []]);
  });

  const newAuthorOf = async ({ accountId }: Blog) =>
    ({ credentialId: '', accountId, tier: tierOf('scale'), scopes: ['*'], boundBlogId: null }) as const;
});

describe('the images of a blog that is deleted', () => {
  const removeAll = () => platen.services.db.transaction().execute((tx) => images.removeAll(tx, blog.id));

  it('are gone with the next sweep', async () => {
    const uploaded = [await upload(), await upload()].map(({ path }) => path).sort();
    await removeAll();
    expect([await rows(), (await strays()).sort()]).toEqual([[], uploaded]);
    await images.sweep();
    expect([[...edge.files], await strays()]).toEqual([[], []]);
  });

  it('stay where the transaction fails', async () => {
    const { path } = await upload();
    const failing = platen.services.db.transaction().execute(async (tx) => {
      await images.removeAll(tx, blog.id);
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    await images.sweep();
    expect([[...edge.files.keys()], await rows()]).toEqual([[path], [path]]);
  });

  it('are tried again where the edge fails, and one that fails holds no other up', async () => {
    const [first, second] = [await upload(), await upload()];
    await removeAll();
    edge.edge.before = async (path) => {
      if (path === first.path) throw new Error('the edge is away');
    };
    await expect(images.sweep()).rejects.toThrow('the edge is away');
    expect([...edge.files.keys()]).toEqual([first.path]);
    expect(await strays()).toEqual([first.path]);
    edge.edge.before = async () => {};
    await images.sweep();
    expect([[...edge.files], await strays()]).toEqual([[], []]);
    expect(second.path).not.toBe(first.path);
  });
});

it('an edge that cannot be opened is tried again', async () => {
  let opens = 0;
  const { db } = platen.services;
  const cleaner = { clean: async () => ({ bytes: tinyGif(), width: 1, height: 1 }) };
  images = createImages({
    db,
    clock,
    cleaner,
    async openEdge() {
      opens += 1;
      if (opens === 1) throw new Error('no room');
      return edge.opened;
    },
  });
  await expect(upload()).rejects.toThrow('no room');
  await upload();
  await upload();
  expect(opens).toBe(2);
});
