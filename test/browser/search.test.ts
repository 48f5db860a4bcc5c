// Slow: starts a server and Chromium, and builds a real search index (Pagefind) for a blog in several scripts.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { startTestPlaten, type TestPlaten } from '../support/platen.ts';
import { type Visitor, visitBlogs } from '../support/theme-visitor.ts';

let platen: TestPlaten;
let browser: Browser;
let blog: { id: string; url: string };

const filler = 'Nothing of note stands in this line. '.repeat(60);

beforeAll(async () => {
  [platen, browser] = await Promise.all([startTestPlaten(), openBrowser()]);
  blog = (await platen.call('POST', '/blogs', { slug: 'shelf', name: 'Shelf' })).json;
  await write('POST', '/posts', {
    title: 'On ink',
    content: `${filler} And a quoin at the end, C++ and a Straße.`,
    tags: ['Craft'],
  });
  const code = '```ts\nconst chase = lockUp(forme);\n```';
  await write('POST', '/posts', {
    title: 'A forme',
    content: `It is locked up.\n\n${code}\n\nThen it is lifted.`,
  });
  await write('POST', '/posts', { title: '活版印刷について', content: '東京で活字を拾う。' });
  await write('POST', '/posts', { title: 'عن الطباعة', content: 'كتب الورّاقون على المُدَوَّنَة.' });
  await write('POST', '/posts', { title: 'To be changed', content: 'It speaks of brass.' });
  await write('POST', '/posts', { title: 'To be deleted', content: 'It speaks of copper.' });
  await write('POST', '/posts', { title: '<img src=x onerror=alert(1)> & <b>', content: 'Of `<script>`.' });
  for (let n = 1; n <= 24; n++) await write('POST', '/posts', { title: `Galley ${n}`, content: 'Proofs.' });
  await makeBase();
});

afterAll(async () => {
  await browser.close();
  await platen.close();
});

async function write(method: string, path: string, body: object = {}): Promise<void> {
  const given = method === 'POST' ? { status: 'published', ...body } : body;
  const headers = { 'X-Blog-Id': blog.id, Prefer: 'wait=60' };
  const answer = await platen.call(method, path, method === 'DELETE' ? undefined : given, { headers });
  expect(answer.headers.get('preference-applied'), answer.text).toBe('wait=60');
  // Only the tests start an index build, so that no build runs while a page is being read.
  const never = '9999-01-01T00:00:00.000Z';
  await platen.services.db.updateTable('search_indexes').set({ due_at: never }).execute();
}

const recent = () => platen.read('shelf', '/search/recent.json');

/** Builds a due search index now instead of after the debounce. */
async function makeBase(): Promise<void> {
  const { db } = platen.services;
  await db.updateTable('search_indexes').set({ due_at: '' }).where('blog_id', '=', blog.id).execute();
  await vi.waitUntil(
    async () => (await recent()).text.startsWith('{"base":true,"complete":true,"gone":[],"posts":[]}'),
    {
      timeout: 60_000,
      interval: 200,
    },
  );
}

const visit = (work: (visitor: Visitor) => Promise<void>, options: BrowserContextOptions = {}) =>
  visitBlogs({ browser, platen }, options, work);

async function open(page: Page, query = ''): Promise<void> {
  await page.goto(`${blog.url}search/${query && `?q=${encodeURIComponent(query)}`}`);
  if (query) await said(page);
}
const said = async (page: Page) => {
  const status = page.getByRole('status');
  await expect.poll(() => status.textContent()).toMatch(/found|shown/);
  return status.textContent();
};
const titles = (page: Page) => page.locator('.results h2').allTextContents();
const type = async (page: Page, text: string) => {
  await page.getByRole('searchbox').fill(text);
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe(text || null);
};

describe('search on the pages of a blog', () => {
  it.each([
    ['quoin', 'On ink'],
    ['quoins', 'On ink'],
    ['Craft', 'On ink'],
    ['C++', 'On ink'],
    ['strasse', 'On ink'],
    ['印刷', '活版印刷について'],
    ['東京', '活版印刷について'],
    ['المدونة', 'عن الطباعة'],
    ['img src', '<img src=x onerror=alert(1)> & <b>'],
  ])('search finds "%s" in the search index, within the policy of the page', async (query, title) => {
    await visit(async ({ page, complaints }) => {
      await open(page, query);
      expect(await titles(page)).toEqual([title]);
      expect(complaints).toEqual([]);
    });
  });

  it('what only code has is found, and the excerpt has none of it', async () => {
    await visit(async ({ page }) => {
      await open(page, 'lockup');
      expect(await titles(page)).toEqual(['A forme']);
      const summary = page.locator('.results .summary');
      expect(await summary.allTextContents()).toEqual(['It is locked up. Then it is lifted.']);
    });
  });

  it('a typing error is forgiven if nothing has the word, and search says so', async () => {
    await visit(async ({ page, complaints }) => {
      await open(page, 'gally');
      const isolated = '\u2068galley\u2069';
      expect(await said(page)).toBe(`Showing results for “${isolated}”. The best 10 posts are shown.`);
      expect(await page.locator('.results mark').first().textContent()).toBe('Galley');
      await page.getByRole('button', { name: 'Show more' }).click();
      await expect
        .poll(() => page.getByRole('status').textContent())
        .toContain('The best 20 posts are shown.');
      expect(complaints).toEqual([]);
    });
  });

  it('search answers while the reader types, shows the number of results, and marks the matches', async () => {
    await visit(async ({ page, complaints }) => {
      await open(page);
      expect(await page.getByRole('searchbox').evaluate((box) => box.matches(':focus'))).toBe(true);
      await page.keyboard.type('bra');
      await expect.poll(() => titles(page)).toEqual(['To be changed']);
      expect(await said(page)).toBe('1 post found.');
      expect(await page.locator('.results mark').allTextContents()).toEqual(['brass']);
      await type(page, 'nowhere at all');
      await expect.poll(() => page.getByRole('status').textContent()).toBe('Nothing found.');
      await type(page, '');
      await expect.poll(() => page.getByRole('status').textContent()).toBe('');
      expect(complaints).toEqual([]);
    });
  });

  it('search finds a post in its current version from going live until it is deleted', async () => {
    await visit(async ({ page }) => {
      await write('POST', '/posts', { title: 'Brand new', content: 'Of zinc.' });
      await open(page, 'zinc');
      expect(await titles(page)).toEqual(['Brand new']);

      await write('PUT', '/posts/to-be-changed', { content: 'It speaks of steel.', title: 'Changed' });
      await open(page, 'brass');
      expect(await titles(page)).toEqual([]);
      await open(page, 'steel');
      expect(await titles(page)).toEqual(['Changed']);

      await open(page, 'copper');
      expect(await titles(page)).toEqual(['To be deleted']);
      await write('DELETE', '/posts/to-be-deleted');
      await open(page, 'copper');
      expect(await titles(page)).toEqual([]);

      await makeBase();
      for (const [query, found] of [
        ['zinc', ['Brand new']],
        ['brass', []],
        ['steel', ['Changed']],
        ['copper', []],
      ] as const) {
        await open(page, query);
        expect(await titles(page)).toEqual(found);
      }
    });
  });

  it('search shows ten results at a time, and "more" moves the focus to the first new one', async () => {
    await visit(async ({ page }) => {
      await open(page, 'galley');
      expect(await said(page)).toBe('The best 10 posts are shown.');
      expect(await titles(page)).toHaveLength(10);
      await page.getByRole('button', { name: 'Show more' }).press('Enter');
      await expect.poll(() => titles(page)).toHaveLength(20);
      expect(
        await page.evaluate(
          'document.activeElement.closest("li") === document.querySelectorAll(".results li")[10]',
        ),
      ).toBe(true);
      await page.getByRole('button', { name: 'Show more' }).press('Enter');
      await expect.poll(() => titles(page)).toHaveLength(24);
      expect(await said(page)).toBe('24 posts found.');
      expect(new Set(await titles(page)).size).toBe(24);
      expect(await page.getByRole('button', { name: 'Show more' }).isVisible()).toBe(false);
    });
  });

  it('search results can be reached with the keyboard', async () => {
    await visit(async ({ page }) => {
      await open(page, 'galley');
      const focused = () =>
        page.evaluate('document.activeElement.textContent || document.activeElement.name');
      const [first, second] = await titles(page);
      await page.getByRole('searchbox').focus();
      await page.keyboard.press('ArrowDown');
      expect(await focused()).toBe(first);
      await page.keyboard.press('ArrowDown');
      expect(await focused()).toBe(second);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      expect(await focused()).toBe('q');
      await page.keyboard.press('Enter');
      await expect.poll(focused).toBe(first);
      await page.keyboard.press('/');
      expect(await focused()).toBe('q');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.url()).toMatch(/galley-\d+\/$/);
      await page.goBack();
      await said(page);
      expect(await page.getByRole('searchbox').inputValue()).toBe('galley');
    });
  });

  it('search still answers from the recent index if the search index cannot be loaded', async () => {
    await visit(async ({ page }) => {
      await write('POST', '/posts', { title: 'Newer still', content: 'Of antimony.' });
      await page.route('**/pagefind/pagefind.js', (route) => route.abort());
      await open(page, 'antimony');
      expect(await titles(page)).toEqual(['Newer still']);
      expect(await said(page)).toBe('1 post found. Only the newest posts could be searched.');
      await page.route('**/search/recent.json', (route) => route.abort());
      await page.reload();
      await expect.poll(() => page.getByRole('status').textContent()).toMatch(/could not be loaded/);
    });
  });

  it('the search page without JavaScript says what the reader can do', async () => {
    await visit(
      async ({ page }) => {
        await page.goto(`${blog.url}search/`);
        expect(await page.getByRole('searchbox').isVisible()).toBe(false);
        expect(await page.locator('main').textContent()).toContain('Searching takes JavaScript');
        await page.locator('main').getByRole('link', { name: 'month' }).click();
        await page.waitForURL(`${blog.url}archive/`);
      },
      { javaScriptEnabled: false },
    );
  });
});
