import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReadableEdge } from '../../../generator/edge/edge.ts';
import { MARKDOWN_VERSION } from '../../../generator/markdown/version.ts';
import type { Caller } from '../../../server/access/caller.ts';
import { insertAccount } from '../../../server/accounts/store.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { createServices, type Services } from '../../../server/compose.ts';
import { readConfig } from '../../../server/config/config.ts';
import type { IconMaker } from '../../../server/image-processing/icons/icon-maker.ts';
import type { Variant } from '../../../server/image-processing/make-variants.ts';
import type { VariantMaker } from '../../../server/image-processing/variant-maker.ts';
import { requestFailedIcons } from '../../../server/media/blog-pictures/store.ts';
import { createImageVariants, type ImageVariants } from '../../../server/media/image-variants.ts';
import { remakeVariants } from '../../../server/media/image-variants-store.ts';
import { createImages, type Images } from '../../../server/media/images.ts';
import { referenceTo } from '../../../server/media/references.ts';
import { findImage, orphanImage } from '../../../server/media/store.ts';
import { createPosts } from '../../../server/posts/posts.ts';
import { deleteBlog } from '../../../server/removal/store.ts';
import { createRenderings } from '../../../server/rerendering/rerendering.ts';
import { handClock } from '../../support/gate.ts';
import { tinyGif } from '../../support/pictures.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** An edge in memory, with a hook that a test may set. */
function memoryEdge() {
  const files = new Map<string, string>();
  const hooks = { write: async (_path: string): Promise<void> => {} };
  const opened: ReadableEdge = {
    concurrency: 16,
    async write(path, bytes) {
      await hooks.write(path);
      files.set(path, Buffer.from(bytes).toString('latin1'));
    },
    async remove(paths) {
      for (const path of paths) files.delete(path);
    },
    invalidate: async () => 0,
    async *list() {},
    async read(path) {
      return Buffer.from(files.get(path) ?? expect.fail(`nothing at ${path}`), 'latin1');
    },
  };
  return { files, hooks, opened };
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

const bytes = Buffer.from('variant');
const twoFiles: Variant[] = [
  { format: 'avif', width: 800, bytes },
  { format: 'webp', width: 800, bytes },
];

let blog: Blog;
let clock: ReturnType<typeof handClock>;
let edge: ReturnType<typeof memoryEdge>;
let images: Images;
let make: ReturnType<typeof vi.fn<VariantMaker['make']>>;
let makeIcon: ReturnType<typeof vi.fn<IconMaker['make']>>;
let warn: ReturnType<typeof vi.fn<() => void>>;
let error: ReturnType<typeof vi.fn<() => void>>;
let variants: ImageVariants;
const open = (): ImageVariants => {
  const log = { ...services.log, warn, error };
  const openEdge = async () => edge.opened;
  return createImageVariants({
    db: services.db,
    clock,
    log,
    openEdge,
    maker: { make },
    iconMaker: { make: makeIcon },
  });
};
beforeEach(async () => {
  const slug = `blog-${uuid()}`;
  blog = (await services.blogs.create(caller, { slug, name: 'Blog', description: '' })).blog;
  clock = handClock();
  edge = memoryEdge();
  make = vi.fn<VariantMaker['make']>(async () => twoFiles);
  makeIcon = vi.fn<IconMaker['make']>(async () => ({ squares: [], favicon: Buffer.from('ico') }));
  [warn, error] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const cleaner = { clean: async () => ({ bytes: tinyGif(), width: 800, height: 600 }) };
  const openEdge = async () => edge.opened;
  images = createImages({ db: services.db, clock, cleaner, openEdge, upgradeUrl: '', onStored() {} });
  variants = open();
  // Removes what other tests have left.
  await services.db.updateTable('images').set({ variants_due_at: null }).execute();
});

const upload = () => images.upload(caller, blog, { bytes: tinyGif(), type: 'image/gif' });
const address = (path: string) => services.config.mediaUrl + path.slice('media'.length);
const files = () => [...edge.files.keys()].sort();
const filesOf = (path: string) => [
  path.replace('.gif', '-800.avif'),
  path.replace('.gif', '-800.webp'),
  path,
];
const sorted = (paths: readonly string[]) => [...paths].sort();

async function write(slug: string, paths: readonly string[]): Promise<void> {
  const content = paths.map((path) => `![a](${address(path)})`).join('\n\n');
  const meta = { description: null, ogImage: null };
  await services.posts.create(caller, blog, { title: slug, slug, content, tags: [], status: 'draft', meta });
}

const strays = async () => {
  const ofBlog = services.db.selectFrom('orphaned_media').where('path', 'like', `media/${blog.id}/%`);
  return (await ofBlog.select('path').orderBy('path').execute()).map((row) => row.path);
};

const renderer = async (slug: string) =>
  services.db
    .selectFrom('post_contents as content')
    .innerJoin('posts', 'posts.id', 'content.post_id')
    .select('content.renderer_version')
    .where('posts.blog_id', '=', blog.id)
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow()
    .then((row) => row.renderer_version);

const html = async (slug: string) => (await services.posts.get(blog, slug)).contentHtml;

const waiting = async () =>
  Number(
    (
      await services.db
        .selectFrom('posts_awaiting_variants')
        .innerJoin('posts', 'posts.id', 'posts_awaiting_variants.post_id')
        .where('posts.blog_id', '=', blog.id)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  );

describe('making the variants of an image', () => {
  it('variants are made once, and no sweep removes them', async () => {
    const { path } = await upload();
    expect(await variants.make()).toBe(1);
    expect(await variants.make()).toBe(0);
    expect(make).toHaveBeenCalledExactlyOnceWith(Buffer.from(tinyGif()), expect.any(AbortSignal));
    clock.moveOn(48 * HOUR);
    await images.removeOrphans();
    expect(await variants.make()).toBe(0);
    expect([files(), await strays()]).toEqual([sorted(filesOf(path)), []]);
  });

  it('variants are made for one image after the other, the oldest first', async () => {
    const uploaded: string[] = [];
    for (let n = 0; n < 3; n++) {
      uploaded.push((await upload()).path);
      clock.moveOn(1);
    }
    let running = 0;
    make.mockImplementation(async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return twoFiles;
    });
    expect(await Promise.all([variants.make(), variants.make()])).toEqual([3, 3]);
    const made = [...edge.files.keys()].filter((path) => path.endsWith('.avif'));
    expect(made).toEqual(uploaded.map((path) => path.replace('.gif', '-800.avif')));
  });

  it('paths of variants are recorded as orphaned media before files are written there', async () => {
    const { path } = await upload();
    const seen: string[][] = [];
    edge.hooks.write = async () => void seen.push(await strays());
    await variants.make();
    const both = filesOf(path).slice(0, 2);
    expect(seen).toEqual([both, both]);
  });

  it('variants that are made again still belong to the image, so that no sweep removes what pages show', async () => {
    const { id, path } = await upload();
    await variants.make();
    const [lost = '', kept = ''] = filesOf(path);
    edge.files.delete(lost);
    await remakeVariants(services.db, id, clock.now());
    edge.hooks.write = async () => {
      clock.moveOn(2 * HOUR);
      await images.removeOrphans();
      expect([files().includes(kept), await strays()]).toEqual([true, []]);
    };
    expect(await variants.make()).toBe(1);
    expect(make).toHaveBeenCalledTimes(2);
    expect([files(), await strays()]).toEqual([sorted(filesOf(path)), []]);
  });

  it('variants that are made again leave no files if the blog is deleted during that', async () => {
    const { id } = await upload();
    await variants.make();
    await remakeVariants(services.db, id, clock.now());
    edge.hooks.write = async () => {
      if (await services.db.selectFrom('images').select('id').where('id', '=', id).executeTakeFirst()) {
        await deleteBlog(services.db, { ...blog, slugHeldUntil: services.clock.now() });
        await images.removeOrphans();
      }
    };
    expect(await variants.make()).toBe(0);
    await images.removeOrphans();
    expect([files(), await strays()]).toEqual([[], []]);
  });

  it('a small image gets no variants', async () => {
    const cleaner = { clean: async () => ({ bytes: tinyGif(), width: 480, height: 480 }) };
    const openEdge = async () => edge.opened;
    images = createImages({ db: services.db, clock, cleaner, openEdge, upgradeUrl: '', onStored() {} });
    await upload();
    expect(await variants.make()).toBe(0);
    expect(make).not.toHaveBeenCalled();
  });

  it('an image may turn out to have no variants, and then no post is rendered again', async () => {
    make.mockResolvedValue([]);
    const { path } = await upload();
    await write('animated', [path]);
    expect(await variants.make()).toBe(0);
    clock.moveOn(48 * HOUR);
    await variants.make();
    expect(make).toHaveBeenCalledTimes(1);
    expect([files(), await waiting(), await renderer('animated')]).toEqual([[path], 0, MARKDOWN_VERSION]);
  });
});

describe('an attempt to make variants that fails', () => {
  it('a failed attempt is retried after ever longer waits, four times in all', async () => {
    make.mockRejectedValue(new Error('out of memory'));
    const { path, id } = await upload();
    await write('plain', [path]);
    for (const [attempts, wait] of [10 * MINUTE, 2 * HOUR, 8 * HOUR, 24 * HOUR].entries()) {
      await variants.make();
      expect([make, warn].map((called) => called.mock.calls.length)).toEqual([attempts + 1, attempts + 1]);
      clock.moveOn(wait - 1);
      await variants.make();
      expect(make).toHaveBeenCalledTimes(attempts + 1);
      clock.moveOn(1);
    }
    expect(error).not.toHaveBeenCalled();
    await variants.make();
    clock.moveOn(1000 * HOUR);
    await variants.make();
    expect(error).toHaveBeenCalledExactlyOnceWith({ imageId: id }, expect.any(String));
    expect(make).toHaveBeenCalledTimes(4);
    expect([files(), await strays(), await waiting()]).toEqual([[path], [], 0]);
  });

  it('a failed attempt delays no other image', async () => {
    const [bad, good] = [await upload(), await upload()];
    clock.moveOn(1);
    make.mockRejectedValueOnce(new Error('out of memory'));
    expect(await variants.make()).toBe(1);
    const [failed, made] = edge.files.has(bad.path.replace('.gif', '-800.avif')) ? [good, bad] : [bad, good];
    expect(files()).toEqual(sorted([...filesOf(made.path), failed.path]));
    clock.moveOn(10 * MINUTE);
    expect(await variants.make()).toBe(1);
    expect(files()).toHaveLength(6);
  });

  it.each([
    ['before a file is written', 0],
    ['between two files', 1],
  ])('a failure %s leaves no file that the next attempt does not claim', async (_name, written) => {
    const { path } = await upload();
    let writes = 0;
    edge.hooks.write = async () => {
      if (writes++ === written) throw new Error('killed');
    };
    await variants.make();
    expect(await strays()).toEqual(filesOf(path).slice(0, 2));
    edge.hooks.write = async () => {};
    clock.moveOn(10 * MINUTE);
    expect(await variants.make()).toBe(1);
    clock.moveOn(48 * HOUR);
    await images.removeOrphans();
    expect([files(), await strays()]).toEqual([sorted(filesOf(path)), []]);
  });

  it('a failed attempt leaves its files to a sweep that is due, and starts again after it', async () => {
    const { path, id } = await upload();
    edge.hooks.write = async (to) => {
      if (to.endsWith('.webp')) throw new Error('killed');
    };
    await variants.make();
    edge.hooks.write = async () => {};
    clock.moveOn(HOUR);
    await variants.make();
    expect(warn).toHaveBeenLastCalledWith(
      {
        err: expect.objectContaining({ message: expect.stringContaining('of an earlier attempt') }),
        imageId: id,
      },
      expect.any(String),
    );
    expect(files()).toEqual(sorted([path, path.replace('.gif', '-800.avif')]));
    await images.removeOrphans();
    expect(files()).toEqual([path]);
    clock.moveOn(2 * HOUR);
    expect(await variants.make()).toBe(1);
    await images.removeOrphans();
    expect(files()).toEqual(sorted(filesOf(path)));
  });

  it('a kill delays no image, but counts, so that an image that kills the server is not retried without end', async () => {
    const { path } = await upload();
    make.mockImplementation(() => new Promise(() => {}));
    for (const attempts of [1, 2, 3, 4]) {
      // Never ends, as if the server were killed.
      void open().make();
      await expect.poll(() => make).toHaveBeenCalledTimes(attempts);
    }
    expect(await open().make()).toBe(0);
    expect(make).toHaveBeenCalledTimes(4);
    expect(error).toHaveBeenCalledTimes(1);
    expect(files()).toEqual([path]);
  });
});

describe('the icon and the variants of an image', () => {
  // Posts that these tests let wait would be rendered in others.
  afterAll(() => services.renderings.renew());

  const iconOf = async (id: string) => {
    const { variants_due_at: dueAt, favicon } = await services.db
      .selectFrom('images')
      .select(['variants_due_at', 'favicon'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return { dueAt, favicon };
  };
  const set = (settings: object) => services.blogs.update(caller, blog.id, { settings });
  const icon = (path: string) => ({ url: address(path), isMade: false, former: null });
  async function setIcon(path: string, id: string): Promise<void> {
    await set({ icon: icon(path) });
    // The services have the time of day.
    const due = { variants_due_at: clock.now() };
    await services.db.updateTable('images').set(due).where('id', '=', id).execute();
  }

  it('an icon that cannot be made delays neither the variants of its image nor other images', async () => {
    makeIcon.mockRejectedValue(new Error('no picture'));
    const [{ path, id }, other] = [await upload(), await upload()];
    await write('with-icon', [path]);
    await setIcon(path, id);
    await variants.make();
    expect(files()).toEqual(sorted([...filesOf(path), ...filesOf(other.path)]));
    expect([await waiting(), await renderer('with-icon')]).toEqual([0, 0]);
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      { err: expect.objectContaining({ message: 'no picture' }), imageId: id },
      expect.any(String),
    );
    expect((await iconOf(id)).dueAt).not.toBeNull();
  });

  it('an icon that cannot be made is set aside after four attempts, whatever else changes, until an upgrade', async () => {
    makeIcon.mockRejectedValue(new Error('no picture'));
    const { path, id } = await upload();
    await setIcon(path, id);
    // The second follows at once, with the variants.
    for (const attempts of [2, 3, 4]) {
      await variants.make();
      const retry = await iconOf(id);
      await set({ accentColor: `#00000${attempts}` });
      expect([makeIcon.mock.calls.length, await iconOf(id)]).toEqual([attempts, retry]);
      clock.moveOn(24 * HOUR);
    }
    await variants.make();
    expect([error.mock.calls.length, await iconOf(id)]).toEqual([1, { dueAt: null, favicon: null }]);
    await set({ icon: icon(path), accentColor: '#0000ff' });
    expect(await iconOf(id)).toEqual({ dueAt: null, favicon: null });
    await requestFailedIcons(services.db, blog.id, clock.now());
    makeIcon.mockResolvedValue({ squares: [], favicon: Buffer.from('ico') });
    await variants.make();
    expect(await iconOf(id)).toMatchObject({ dueAt: null, favicon: expect.any(String) });
    await requestFailedIcons(services.db, blog.id, clock.now());
    expect((await iconOf(id)).dueAt).toBeNull();
  });

  it('an icon is made even if the variants of its image cannot be, and posts still wait for those', async () => {
    make.mockRejectedValueOnce(new Error('out of memory'));
    const { path, id } = await upload();
    await write('beside', [path]);
    await setIcon(path, id);
    await variants.make();
    const { settings } = await services.blogs.get(caller, blog.id);
    expect([settings.icon?.isMade, files(), await waiting()]).toEqual([true, [path], 1]);
    clock.moveOn(10 * MINUTE);
    await variants.make();
    expect([files(), await waiting(), (await iconOf(id)).dueAt]).toEqual([filesOf(path), 0, null]);
  });
});

it('a server that stops ends the variant process, and the next start begins that image again', async () => {
  const { path } = await upload();
  make.mockImplementation(
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  );
  const making = variants.make();
  await expect.poll(() => make).toHaveBeenCalled();
  await variants.stop();
  expect([await making, warn.mock.calls]).toEqual([0, []]);
  make.mockResolvedValue(twoFiles);
  expect(await open().make()).toBe(1);
  expect(files()).toEqual(sorted(filesOf(path)));
});

describe('posts with images whose variants are made', () => {
  it('a post with the image is rendered again when its variants are made, and no other post is', async () => {
    const { path } = await upload();
    await write('one', [path]);
    await write('two', [path, path]);
    await write('other', []);
    expect(await html('one')).not.toContain('<picture>');
    await variants.make();
    expect([await renderer('one'), await renderer('two'), await renderer('other')]).toEqual([
      0,
      0,
      MARKDOWN_VERSION,
    ]);
    expect(await services.renderings.renew()).toBe(2);
    for (const slug of ['one', 'two']) {
      expect(await html(slug)).toContain(`srcset="${referenceTo(path).replace('.gif', '-800.avif')} 800w"`);
    }
    expect(await waiting()).toBe(0);
  });

  it('a post written while variants are made has them at once, and waits for nothing', async () => {
    const { path } = await upload();
    await variants.make();
    await write('later', [path]);
    expect(await html('later')).toContain('<picture><source type="image/avif" srcset="');
    expect([await waiting(), await renderer('later')]).toEqual([0, MARKDOWN_VERSION]);
  });

  it('a post waits for the images that it shows now, and a deleted one for none', async () => {
    const [one, two] = [await upload(), await upload()];
    await write('changing', [one.path, two.path]);
    expect(await waiting()).toBe(2);
    await services.posts.update(blog, 'changing', { content: `![](${address(two.path)})` });
    expect(await waiting()).toBe(1);
    await services.posts.update(blog, 'changing', { title: 'A new title' });
    expect(await waiting()).toBe(1);
    await services.posts.remove(blog, 'changing');
    expect(await waiting()).toBe(0);
    expect(await variants.make()).toBe(2);
  });

  it('a post that is being written while variants are made is rendered again', async () => {
    const { path } = await upload();
    const content = `![a](${address(path)})`;
    const rendered = await services.renderContent(content, blog.accountId);
    await variants.make();
    const posts = createPosts({ ...services, renderContent: async () => rendered });
    const meta = { description: null, ogImage: null };
    const post = { title: 'a', slug: 'raced', content, tags: [], status: 'draft', meta } as const;
    await posts.create(caller, blog, post);
    expect([await html('raced'), await renderer('raced')]).toEqual([
      expect.not.stringContaining('<picture>'),
      0,
    ]);
    await services.renderings.renew();
    expect(await html('raced')).toContain('<picture>');
    expect(await renderer('raced')).toBe(MARKDOWN_VERSION);
  });

  it('a post that is being rendered again while variants are made is rendered once more', async () => {
    const { path } = await upload();
    await write('renewed', [path]);
    await services.db
      .updateTable('post_contents')
      .set({ renderer_version: 1, html: 'old' })
      .where('post_id', 'in', (eb) => eb.selectFrom('posts').select('id').where('blog_id', '=', blog.id))
      .execute();
    const { db, log } = services;
    const renewing = createRenderings({
      db,
      clock,
      log,
      async renderPost(source) {
        const rendered = await services.renderContent(source, blog.accountId);
        if (rendered.imagesWithoutVariants.length > 0) await variants.make();
        return rendered;
      },
    });
    await renewing.renew();
    expect(await renderer('renewed')).toBe(0);
    await renewing.renew();
    expect([await html('renewed'), await renderer('renewed')]).toEqual([
      expect.stringContaining('<picture>'),
      MARKDOWN_VERSION,
    ]);
  });
});

describe('variants of a deleted image', () => {
  const abandon = (id: string) =>
    services.db.transaction().execute(async (tx) => {
      const image = (await findImage(tx, id)) ?? expect.fail('there is no such image');
      await orphanImage(tx, image, clock.now());
    });

  it('all files of a deleted image are removed by the next sweep, and those of other images stay', async () => {
    const [gone, kept] = [await upload(), await upload()];
    await variants.make();
    await abandon(gone.id);
    expect(await strays()).toEqual(sorted(filesOf(gone.path)));
    await images.removeOrphans();
    expect([files(), await strays()]).toEqual([sorted(filesOf(kept.path)), []]);
  });

  it.each([
    ['for the first time', false],
    ['a second time', true],
  ])(
    'all files of an image that is deleted while variants are made %s are removed by the next sweep',
    async (_when, again) => {
      const { id } = await upload();
      if (again) {
        await variants.make();
        await remakeVariants(services.db, id, clock.now());
      }
      edge.hooks.write = async () => {
        edge.hooks.write = async () => {};
        await abandon(id);
        await images.removeOrphans();
      };
      expect(await variants.make()).toBe(0);
      expect(files()).toHaveLength(2);
      await images.removeOrphans();
      expect([files(), await strays()]).toEqual([[], []]);
    },
  );
});
