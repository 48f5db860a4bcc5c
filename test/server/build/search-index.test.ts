// Slow: lets a builder run through days of retries, and publishes and removes more than 500 posts.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Blog } from '../../../server/blogs/blog.ts';
import { type OpenBuilder, openBuilder } from '../../../server/builder/open-builder.ts';
import { allEntries } from '../../../server/rebuilds/manifest.ts';
import { createIndexMaker, type IndexMaker } from '../../../server/search-index/index-maker.ts';
import { createDoor, handClock } from '../../support/gate.ts';
import { plainBases, publishedTitles, searchable } from '../../support/plain-search-indexes.ts';
import { openWorkshop, plainCards, readEdge, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
let builder: OpenBuilder;
let running: Promise<void> | undefined;
let open: () => Promise<OpenBuilder>;
let blog: Blog;
let clock: ReturnType<typeof handClock>;
let made: number;
let before: () => Promise<void>;
let errors: string[];

beforeEach(async () => {
  workshop = await openWorkshop();
  clock = handClock();
  made = 0;
  before = async () => {};
  const plain = plainBases(workshop.config);
  const bases: IndexMaker = {
    make: (blogId, use) =>
      plain.make(blogId, async (reply, folder) => {
        made += 1;
        await before();
        await use(reply, folder);
      }),
    stop() {},
  };
  errors = [];
  running = undefined;
  const log = pino({ level: 'error' }, { write: (line: string) => errors.push(JSON.parse(line).msg) });
  open = () => openBuilder(workshop.config, { indexMaker: bases, cards: plainCards, clock, log });
  builder = await open();
  blog = await workshop.newBlog('ink');
});

afterEach(async () => {
  await stop();
  await workshop.close();
});

async function stop(): Promise<void> {
  builder.stop();
  await running;
  await builder.close();
}

async function publish(title: string): Promise<void> {
  const meta = { description: null, ogImage: null };
  await workshop.services.posts.create(workshop.caller, blog, {
    title,
    content: 'x',
    tags: [],
    status: 'published',
    meta,
  });
}

const edge = () => readEdge(workshop.edgeDir, blog.slug);
const recent = () => JSON.parse(edge().get('search/recent.json') ?? '');
const pass = async (seconds: number) => {
  clock.moveOn(seconds * 1_000);
  await builder.drain();
};

/** Starts a builder that runs until the end of the test. Unlike `drain`, it starts once only. */
function start(): void {
  running = builder.run();
}

/** Advances the clock until the condition holds. */
async function until(isSo: () => boolean): Promise<void> {
  await vi.waitFor(
    () => {
      clock.moveOn(3_600_000);
      builder.wake();
      expect(isSo()).toBe(true);
    },
    { timeout: 60_000, interval: 5 },
  );
}

/** Lets days pass. */
async function rest(): Promise<void> {
  let rounds = 0;
  await until(() => ++rounds === 100);
}

describe('building the search index', () => {
  it('the search index is built seconds after a write, and empties the recent index', async () => {
    await publish('One');
    await pass(5);
    expect([made, recent().base, recent().posts.length]).toEqual([0, false, 1]);
    await pass(30);
    expect([made, recent()]).toEqual([1, { base: true, complete: true, gone: [], posts: [] }]);
    expect(searchable(edge())).toEqual(['One']);
    await pass(3_600);
    expect(made).toBe(1);
  });

  it('the search index is built at most every two minutes, while the recent index covers changes', async () => {
    await publish('One');
    await publish('Two');
    await pass(30);
    await publish('Three');
    await workshop.services.posts.remove(blog, 'one');
    await workshop.services.posts.update(blog, 'two', { title: 'Second' });
    await pass(60);
    expect(made).toBe(1);
    expect(searchable(edge())).toEqual(['Second', 'Three']);
    await pass(90);
    expect([made, recent()]).toEqual([2, { base: true, complete: true, gone: [], posts: [] }]);
    expect(searchable(edge())).toEqual(['Second', 'Three']);
  });

  it('a write during an index build stays in the recent index', async () => {
    await publish('One');
    before = async () => {
      before = async () => {};
      await publish('Two');
    };
    await pass(30);
    expect(searchable(edge())).toEqual(['One', 'Two']);
    await pass(200);
    expect([made, recent().posts]).toEqual([2, []]);
    expect(searchable(edge())).toEqual(['One', 'Two']);
  });

  it('search leaves out the search index if too many of its posts are gone', {
    timeout: 300_000,
  }, async () => {
    for (let n = 0; n <= 501; n++) await publish(`Post ${n}`);
    await pass(60);
    for (let n = 0; n < 501; n++) await workshop.services.posts.remove(blog, `post-${n}`);
    await pass(5);
    expect([recent().base, recent().gone.length]).toEqual([false, 500]);
    await pass(3_600);
    expect(searchable(edge())).toEqual(['Post 501']);
  });

  it('a full rebuild of the blog keeps the search index', async () => {
    await publish('One');
    await pass(30);
    await workshop.services.blogs.update(workshop.caller, blog.id, { name: 'Other' });
    await pass(1);
    expect(searchable(edge())).toEqual(['One']);
    expect(edge().has('pagefind/all.json')).toBe(true);
  });

  it('a failed index build is retried, and does not delay pages', async () => {
    before = async () => {
      throw new Error('no');
    };
    await publish('One');
    await pass(30);
    expect([made, recent().base, edge().has('one/index.html')]).toEqual([1, false, true]);
    before = async () => {};
    await pass(600);
    expect([made, recent().base]).toEqual([2, true]);
  });

  describe('an index build that always fails', () => {
    beforeEach(() => {
      before = async () => {
        throw new Error('no');
      };
    });

    it('an index build is given up with one log line, until the next write', async () => {
      start();
      await publish('One');
      await until(() => errors.length > 0);
      await rest();
      expect([made, errors]).toEqual([
        20,
        ['search index not built; giving up until its source changes or the server restarts'],
      ]);
      expect([recent().base, searchable(edge())]).toEqual([false, ['One']]);
      await publish('Two');
      await until(() => errors.length > 1);
      await rest();
      expect([made, errors.length, searchable(edge())]).toEqual([40, 2, ['One', 'Two']]);
      before = async () => {};
      await publish('Three');
      await until(() => recent().base);
      expect([made, searchable(edge())]).toEqual([41, ['One', 'Three', 'Two']]);
    });

    it('a failed index build leaves the previous search index in use', async () => {
      const fail = before;
      before = async () => {};
      start();
      await publish('One');
      await publish('Two');
      await until(() => made === 1 && edge().has('search/recent.json') && recent().base);
      before = fail;
      await publish('Three');
      await workshop.services.posts.remove(blog, 'one');
      await until(() => errors.length > 0);
      expect([made, recent().base, searchable(edge())]).toEqual([21, true, ['Three', 'Two']]);
    });

    it('an index build that was given up is retried after a restart', async () => {
      start();
      await publish('One');
      await until(() => errors.length > 0);
      before = async () => {};
      await stop();
      builder = await open();
      await builder.drain();
      expect([made, recent().base]).toEqual([21, true]);
    });
  });

  it('an index build delays no publish', async () => {
    const door = createDoor();
    await publish('One');
    before = () => door.pass();
    clock.moveOn(30_000);
    const drained = builder.drain();
    await door.reached;
    await publish('Two');
    builder.wake();
    await expect.poll(() => edge().has('two/index.html')).toBe(true);
    door.open();
    await drained;
  });

  it('a search index is deleted with its blog, even during its build', async () => {
    await publish('One');
    before = async () => {
      before = async () => {};
      await workshop.services.removal.deleteBlog(workshop.caller, blog.id);
    };
    await pass(30);
    await pass(1);
    expect(existsSync(join(workshop.edgeDir, 'sites', 'ink'))).toBe(false);
    expect((await allEntries(workshop.services.db, blog.id).next()).done).toBe(true);
  });
});

describe('the process that builds a search index', () => {
  const maker = () =>
    createIndexMaker({
      databaseFile: workshop.config.databaseFile,
      folder: join(workshop.config.dataDir, 'unfinished-bases'),
    });
  const leftOver = () => readdirSync(join(workshop.config.dataDir, 'unfinished-bases'));

  it('the index process covers all published posts, and leaves no files behind', async () => {
    await publish('One');
    let files: readonly string[] = [];
    await maker().make(blog.id, async (reply, folder) => {
      files = reply?.files.map(({ path }) => path) ?? [];
      for (const path of files) expect(existsSync(join(folder, path))).toBe(true);
    });
    expect(files.at(-1)).toBe('pagefind-entry.json');
    expect(leftOver()).toEqual([]);
    expect(await publishedTitles(workshop, blog)).toEqual(['One']);
  });

  it('the index process returns null for a missing blog', async () => {
    let answer: unknown;
    await maker().make('gone', async (reply) => {
      answer = reply;
    });
    expect(answer).toBeNull();
  });

  it('the index process ends on request', async () => {
    await publish('One');
    const stopped = maker();
    const making = stopped.make(blog.id, async () => {});
    // As soon as a process exists, since it may end by itself soon after.
    const stopping = setInterval(() => stopped.stop(), 1);
    await expect(making).rejects.toThrow(/SIGKILL/);
    clearInterval(stopping);
    expect(leftOver()).toEqual([]);
  });
});
