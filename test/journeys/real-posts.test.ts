// Slow: publishes whole folders of real posts on a server, draws a card for each, and publishes them again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployFolder } from '../../clients/cli/deploy/deploy-folder.ts';
import { createStateInMemory } from '../../clients/cli/deploy/plan/state.ts';
import type { DeployReport } from '../../clients/cli/deploy/send/run.ts';
import { Platen } from '../../clients/sdk/index.ts';
import { hasPendingCards } from '../../server/rebuilds/pending-cards.ts';
import { openBrowser } from '../support/browser.ts';
import { corpusDir } from '../support/corpus.ts';
import { startTestPlaten, type TestPlaten } from '../support/platen.ts';
import { pngSize } from '../support/png.ts';
import { elements, parseXml, textOf } from '../support/xml.ts';

const demo = fileURLToPath(new URL('../../scripts/demo', import.meta.url));
const corpus = corpusDir();

let platen: TestPlaten;
let browser: Browser;
beforeAll(async () => {
  [platen, browser] = await Promise.all([startTestPlaten(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await platen.close();
});

/**
 * The journey of an owner who publishes a folder of posts, and of pages at these paths. Each test continues where the
 * previous one ended.
 */
function journey(slug: string, folder: string, atLeast: number, pages: readonly string[] = []): void {
  let blogId: string;
  let report: DeployReport;
  const state = createStateInMemory();
  const deploy = () => {
    const client = new Platen({ url: platen.origin, apiKey: platen.key, blog: blogId });
    return deployFolder({ folder, platen: client, blogId, state });
  };
  const paths = () => report.urls.map((url) => new URL(url).pathname);
  const listed = () => paths().filter((path) => !pages.includes(path));
  const read = (path: string) => platen.read(slug, path);

  it('all posts of the folder are published', { timeout: 600_000 }, async () => {
    blogId = (await platen.call('POST', '/blogs', { slug, name: `Blog ${slug}` })).json.id;
    report = await deploy();
    expect(report).toMatchObject({ failed: [], notLive: null });
    expect(report.created).toBeGreaterThanOrEqual(atLeast);
    expect(new Set(paths()).size).toBe(report.created);
  });

  it('all posts of the folder are live, each with its title and a description', async () => {
    const flaws: string[] = [];
    for (const path of paths()) {
      const { status, text } = await read(path);
      const title = /<h1 dir="auto">([^<]+)<\/h1>/.exec(text)?.[1]?.trim();
      const description = /<meta name="description" content="([^"]+)"/.exec(text)?.[1]?.trim();
      if (status !== 200 || !title || !description) flaws.push(`${path} (${status}): ${title}`);
    }
    expect(flaws).toEqual([]);
  });

  it('every post of the folder has a card of 1200 by 630 pixels', { timeout: 600_000 }, async () => {
    await expect
      .poll(() => hasPendingCards(platen.services.db, blogId), { timeout: 280_000, interval: 100 })
      .toBe(false);
    const flaws: string[] = [];
    for (const path of paths()) {
      const card = /<meta property="og:image" content="[^"]*\/(og\/[0-9a-f]+\.png)"/.exec(
        (await read(path)).text,
      )?.[1];
      const file = join(platen.dataDir, 'edge/sites', slug, card ?? 'none');
      const size = card ? pngSize(readFileSync(file)) : null;
      if (size?.width !== 1200 || size.height !== 630) flaws.push(`${path}: ${card}`);
    }
    expect(flaws).toEqual([]);
  });

  it('the links to older posts lead from the front page to every post of the folder once', async () => {
    const seen: string[] = [];
    for (let next: string | undefined = '/'; next !== undefined; ) {
      const { status, text }: { status: number; text: string } = await read(next);
      expect(status).toBe(200);
      seen.push(...[...text.matchAll(/<h2[^>]*><a href="([^"]+)"/g)].map(([, href = '']) => href));
      next = /<a rel="next" href="([^"]+)"/.exec(text)?.[1];
    }
    expect(seen.sort()).toEqual(listed().sort());
  });

  it('the newest thirty posts of the folder are in a valid feed', async () => {
    const feed = await parseXml(browser, (await read('/feed.xml')).text);
    const entries = elements(feed, 'entry');
    expect(entries).toHaveLength(Math.min(30, listed().length));
    for (const entry of entries) {
      expect(textOf(entry, 'content')).toContain('<p');
      const href = elements(entry, 'link')[0]?.attributes.href ?? '';
      expect(listed()).toContain(new URL(href).pathname);
    }
  });

  it('deploying the folder again changes nothing', { timeout: 600_000 }, async () => {
    expect(await deploy()).toMatchObject({
      ...{ created: 0, updated: 0, redirects: 0, failed: [], urls: [] },
      unchanged: report.created,
    });
  });
}

describe('the posts of the demo', () => journey('demo', demo, 10, ['/about/']));

if (corpus !== null) describe('the posts of the corpus', () => journey('corpus', join(corpus, 'posts'), 100));
