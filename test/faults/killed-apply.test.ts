import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenBuilder, openBuilder } from '../../server/rebuild/open-builder.ts';
import type { Blog } from '../../server/store/blogs.ts';
import { plainBases, publishedTitles, searchable, withoutBase } from '../support/bases.ts';
import {
  brokenLinks,
  cleanBuild,
  differences,
  openWorkshop,
  plainCards,
  readEdge,
  type Workshop,
} from '../support/press.ts';

const dyingBuilder = fileURLToPath(new URL('dying-builder.mjs', import.meta.url));

let workshop: Workshop;
let survivor: OpenBuilder;
let blog: Blog;

beforeAll(async () => {
  workshop = await openWorkshop();
  blog = await workshop.newBlog('mortal');
  await publish('First', ['rust', 'c++']);
  survivor = await openBuilder(workshop.config, {
    bases: plainBases(workshop.config),
    cards: plainCards,
    clock: workshop.clock,
  });
  await survivor.drain();
});

afterAll(async () => {
  await survivor.close();
  await workshop.close();
});

/** What happens to the post that was being pressed, between the death of the builder and the next one's start. */
const aftermaths: ((slug: string) => Promise<unknown>)[] = [
  async () => {},
  (slug) => workshop.services.posts.remove(blog, slug),
  (slug) => workshop.services.posts.update(blog, slug, { slug: `${slug}-moved`, tags: ['other'] }),
];

for (const moment of ['before', 'after']) {
  test(`a builder killed ${moment} any operation of an apply is made good by the next one`, {
    timeout: 120_000,
  }, async () => {
    let deaths = 0;
    while (true) {
      const slug = `${moment}-${deaths}`;
      await publish(slug, ['rust', 'new']);
      await workshop.services.posts.update(blog, 'first', { slug: 'moved' }).catch(() => undefined);
      await workshop.services.posts.update(blog, 'moved', { slug: 'first' }).catch(() => undefined);
      if (!(await dies(deaths + 1, moment))) break;
      deaths += 1;
      await aftermaths[deaths % aftermaths.length]?.(slug);
      await survivor.drain();
      const edge = readEdge(workshop.config.edgeDir, blog.slug);
      expect(differences(withoutBase(edge), await cleanBuild(workshop, blog))).toEqual([]);
      expect(brokenLinks(edge)).toEqual([]);
      expect(searchable(edge)).toEqual(await publishedTitles(workshop, blog));
    }
    // Post, lists of the blog and of two tags, feed, sitemap and card: fewer would mean that nobody died in an apply.
    expect(deaths).toBeGreaterThan(8);
  });
}

const publish = (title: string, tags: readonly string[]) =>
  workshop.services.posts.create(workshop.caller, blog, {
    title,
    content: 'Text.',
    tags,
    status: 'published',
    meta: { description: null, ogImage: null },
  });

/** Whether a builder that is to die at the nth operation did. */
async function dies(operation: number, moment: string): Promise<boolean> {
  const child = spawn(process.execPath, [dyingBuilder, String(operation), moment], {
    env: { ...process.env, PLATEN_DATA_DIR: workshop.config.dataDir, LOG_LEVEL: 'error' },
    stdio: 'inherit',
  });
  const [code, signal] = await once(child, 'exit');
  if (signal === 'SIGKILL') return true;
  expect(code).toBe(0);
  return false;
}
