// Slow: lets a builder run through days of retries, with a clock that the test moves.
import pino from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CardPool } from '../../../generator/cards/pool.ts';
import type { Card } from '../../../generator/page.ts';
import { WorkerDied } from '../../../generator/workers/worker-died.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { type OpenBuilder, openBuilder } from '../../../server/builder/open-builder.ts';
import { findEntriesByPagePrefix } from '../../../server/rebuilds/manifest.ts';
import { hasPendingCards } from '../../../server/rebuilds/pending-cards.ts';
import { findReceipt } from '../../../server/rebuilds/store.ts';
import { createDoor, handClock } from '../../support/gate.ts';
import { openWorkshop, readEdge, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
let builder: OpenBuilder;
let running: Promise<void> | undefined;
let open: () => Promise<OpenBuilder>;
let blog: Blog;
let clock: ReturnType<typeof handClock>;
let drawn: string[];
let draw: (card: Card) => Promise<void>;
let errors: string[];

beforeEach(async () => {
  workshop = await openWorkshop();
  clock = handClock();
  // Ahead of the services' own clock, so that all writes are due.
  clock.moveOn(3_600_000);
  drawn = [];
  draw = async () => {};
  const cards: CardPool = {
    async draw(card) {
      // The blog's own card, which no post changes.
      if (card.description !== null) return Buffer.from('card of the blog');
      drawn.push(card.title);
      await draw(card);
      return Buffer.from(`card of ${card.title}`);
    },
    close: async () => {},
  };
  errors = [];
  running = undefined;
  open = () =>
    openBuilder(workshop.config, {
      indexMaker: null,
      cards,
      clock,
      log: pino({ level: 'error' }, { write: (line: string) => errors.push(JSON.parse(line).msg) }),
    });
  builder = await open();
  blog = await workshop.newBlog('ink');
  await builder.drain();
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

async function publish(title: string): Promise<string> {
  const meta = { description: null, ogImage: null };
  const post = { title, content: 'x', tags: [], status: 'published', meta } as const;
  const { rebuildId } = await workshop.services.posts.create(workshop.caller, blog, post);
  return rebuildId ?? expect.fail('no rebuild');
}

const edge = () => readEdge(workshop.edgeDir, blog.slug);
const cardsOnEdge = () =>
  [...edge()].flatMap(([path, content]) =>
    path.startsWith('og/') && content !== 'card of the blog' ? [content] : [],
  );
const waitingChanges = async () =>
  (await workshop.services.db.selectFrom('changes').select('id').execute()).length;
const pending = () => hasPendingCards(workshop.services.db, blog.id);
const isLive = async (id: string) => (await findReceipt(workshop.services.db, id))?.status === 'live';

/** Expects that the manifest's files under `og/` equal those on the edge. */
async function expectCards(titles: readonly string[]): Promise<void> {
  expect(cardsOnEdge().sort()).toEqual(titles.map((title) => `card of ${title}`).sort());
  const known = await findEntriesByPagePrefix(workshop.services.db, blog.id, 'card:');
  expect(known.map(({ path }) => path).sort()).toEqual(
    [...edge().keys()].filter((path) => path.startsWith('og/')).sort(),
  );
  expect(known.map(({ hash }) => hash)).not.toContain('');
}

it('a page is live while its card is still being drawn, and names the card’s future address', async () => {
  const door = createDoor();
  draw = door.pass;
  const id = await publish('First');
  const drained = builder.drain();
  await door.reached;
  expect([await isLive(id), await pending(), cardsOnEdge()]).toEqual([true, true, []]);
  const named = /og\/[0-9a-f]+\.png/.exec(edge().get('first/index.html') ?? '')?.[0];
  door.open();
  await drained;
  expect(edge().get(named ?? '')).toBe('card of First');
  expect(await pending()).toBe(false);
});

it('a card that cannot be drawn does not delay its page, and is retried later', async () => {
  draw = async () => {
    throw new Error('out of memory');
  };
  const id = await publish('First');
  await builder.drain();
  expect([await isLive(id), await pending(), cardsOnEdge(), drawn]).toEqual([true, true, [], ['First']]);
  await builder.drain();
  expect(drawn).toHaveLength(1);
  clock.moveOn(250);
  await builder.drain();
  expect(drawn).toHaveLength(2);
  draw = async () => {};
  clock.moveOn(499);
  await builder.drain();
  expect(drawn).toHaveLength(2);
  clock.moveOn(1);
  await builder.drain();
  await expectCards(['First']);
  expect(await pending()).toBe(false);
});

/** Starts a builder that runs until the end of the test. Unlike `drain`, it starts once only. */
function start(): void {
  running = builder.run();
}

/** Advances the clock until the condition holds. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitFor(
    async () => {
      clock.moveOn(60_000);
      builder.wake();
      expect(await isSo()).toBe(true);
    },
    { timeout: 60_000, interval: 5 },
  );
}

/** Lets hours pass. */
async function rest(): Promise<void> {
  let rounds = 0;
  await until(() => ++rounds === 100);
}

const GIVEN_UP = 'card not drawn; giving up until its source changes or the server restarts';

it('a card that always fails is given up with one log line, and retried when its post is written', async () => {
  draw = async () => {
    throw new Error('no such font');
  };
  start();
  await publish('First');
  await until(() => errors.length > 0);
  await rest();
  expect([drawn.length, errors]).toEqual([20, [GIVEN_UP]]);
  draw = async () => {};
  await publish('Second');
  await until(() => drawn.length === 21);
  await rest();
  await expectCards(['Second']);
  await workshop.services.posts.update(blog, 'first', { content: 'Other words.' });
  await until(async () => !(await pending()));
  await expectCards(['First', 'Second']);
  expect([drawn.length, errors.length]).toEqual([22, 1]);
});

it('a card that kills its process is given up after three attempts', async () => {
  draw = async () => {
    throw new WorkerDied('the process that draws cards has ended (SIGKILL)');
  };
  start();
  await publish('First');
  await until(() => errors.length > 0);
  await rest();
  expect([drawn.length, errors]).toEqual([3, [GIVEN_UP]]);
});

it('a card that was given up is retried after a restart', async () => {
  draw = async () => {
    throw new Error('no such font');
  };
  start();
  await publish('First');
  await until(() => errors.length > 0);
  await stop();
  draw = async () => {};
  builder = await open();
  await builder.drain();
  await expectCards(['First']);
  expect(drawn).toHaveLength(21);
});

it('a card whose post is written during its last attempt is not given up', async () => {
  draw = async () => {
    if (drawn.length === 20) {
      await workshop.services.posts.update(blog, 'first', { content: 'Other words.' });
      builder.wake();
      await expect.poll(waitingChanges).toBe(0);
    }
    if (drawn.length <= 20) throw new Error('no such font');
  };
  start();
  await publish('First');
  await until(() => errors.length > 0);
  await until(async () => !(await pending()));
  expect(drawn).toHaveLength(21);
  await expectCards(['First']);
});

it('a post deleted while its card is being drawn leaves no card', async () => {
  const door = createDoor();
  draw = door.pass;
  await publish('Short-lived');
  const drained = builder.drain();
  await door.reached;
  const { rebuildId } = await workshop.services.posts.remove(blog, 'short-lived');
  builder.wake();
  await expect.poll(() => isLive(rebuildId ?? '')).toBe(true);
  door.open();
  await drained;
  await expectCards([]);
  expect(await pending()).toBe(false);
});

it('a post renamed while its card is being drawn ends with only the card of its new title', async () => {
  const door = createDoor();
  draw = (card) => (card.title === 'Before' ? door.pass() : Promise.resolve());
  await publish('Before');
  const drained = builder.drain();
  await door.reached;
  const { rebuildId } = await workshop.services.posts.update(blog, 'before', { title: 'After' });
  builder.wake();
  await expect.poll(() => isLive(rebuildId ?? '')).toBe(true);
  door.open();
  await drained;
  await expectCards(['After']);
  expect(await pending()).toBe(false);
});

it('a card is drawn once, however often other parts of its post change', async () => {
  await publish('First');
  await builder.drain();
  await workshop.services.posts.update(blog, 'first', {
    content: 'Other words.',
    tags: ['new'],
    slug: 'moved',
  });
  await builder.drain();
  expect(drawn).toEqual(['First']);
  await expectCards(['First']);
});

it('a post that is given an image loses its card, and gets it back with the removal of the image', async () => {
  await publish('First');
  await builder.drain();
  await workshop.services.posts.update(blog, 'first', { meta: { ogImage: 'https://example.org/a.png' } });
  await builder.drain();
  await expectCards([]);
  await workshop.services.posts.update(blog, 'first', { meta: { ogImage: null } });
  await builder.drain();
  await expectCards(['First']);
});
