// Slow: starts a server and Chromium, and opens every kind of page in several ways.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { startTestPlaten, type TestPlaten } from '../support/platen.ts';

let platen: TestPlaten;
let browser: Browser;
let blogUrl: string;

beforeAll(async () => {
  [platen, browser] = await Promise.all([startTestPlaten(), openBrowser()]);
  const blog = (await platen.call('POST', '/blogs', { slug: 'ink', name: 'Ink', description: 'On type.' }))
    .json;
  blogUrl = blog.url;
  const write = async (method: string, path: string, body: object) => {
    const headers = { 'X-Blog-Id': blog.id, Prefer: 'wait=60' };
    const answer = await platen.call(method, path, body, { headers });
    expect(answer.headers.get('preference-applied'), answer.text).toBe('wait=60');
  };
  for (let n = 1; n <= 11; n++)
    await write('POST', '/posts', { title: `Early ${n}`, content: 'x', status: 'published' });
  for (const post of posts) await write('POST', '/posts', { ...post, status: 'published' });
  await write('PUT', '/posts/old-address', { slug: 'new-address' });
});

afterAll(async () => {
  await browser.close();
  await platen.close();
});

const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const posts = [
  {
    title: `Everything ${word}`,
    slug: 'everything',
    tags: ['Type & Ink', word.slice(0, 50)],
    content: `Some words, a [link](#table), a long one: https://example.org/${'path/'.repeat(40)} and ${word.repeat(3)}.

## Table

| ${Array.from({ length: 14 }, (_, n) => `Column ${n}`).join(' | ')} |
|${'---|'.repeat(14)}
| ${Array.from({ length: 14 }, () => 'unbreakable').join(' | ')} |

\`\`\`ts
const line = '${'x'.repeat(300)}';
\`\`\`

<img src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='3000' height='10'/%3E" width="3000" height="10" alt="Wide">

- [x] done
- [ ] open

> [!NOTE]
> A note[^1].

[^1]: A foot${word}.`,
  },
  {
    title: 'مرحبا بالعالم',
    slug: 'arabic',
    tags: [],
    content: 'هذه تدوينة باللغة العربية، وفيها كلمات كثيرة تكفي لمعرفة اللغة.',
  },
  { title: 'Moved', slug: 'old-address', tags: [], content: 'It is here now.' },
];

/** Each kind of page, with a text that the page shows. */
const pages: readonly [string, string][] = [
  ['', 'On type.'],
  ['page/1/', 'Early 10'],
  ['everything/', 'Some words'],
  ['tags/type-ink/', 'Everything'],
  ['arabic/', 'هذه تدوينة'],
  ['nowhere/', 'This page is not here'],
  ['old-address/', 'It is here now.'],
];

async function withPage(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext(options);
  try {
    await work(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Opens a page, and waits for a redirect to finish. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(blogUrl + path);
  if (path === 'old-address/') await page.waitForURL(`${blogUrl}new-address/`);
}

describe('pages of a blog in a browser', () => {
  it.each(pages)('the page /%s is complete and requests nothing from other hosts', (path, text) =>
    withPage({}, async (page) => {
      const complaints: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => requests.push(request.url()));
      await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
        console.error('violates ' + event.violatedDirective + ': ' + event.blockedURI))`);
      await visit(page, path);
      await page.waitForLoadState();
      expect(await page.locator('body').innerText()).toContain(text);
      // Browsers log an error for every 404.
      const missing = /^Failed to load resource: .*404/;
      expect(complaints.filter((complaint) => path !== 'nowhere/' || !missing.test(complaint))).toEqual([]);
      const elsewhere = requests.filter((url) => !url.startsWith(blogUrl) && !url.startsWith('data:'));
      expect(elsewhere).toEqual([]);
      expect(requests.filter((url) => url.includes('/v1'))).toEqual([]);
    }),
  );

  it.each(pages)('the page /%s is just as readable without JavaScript', (path, text) =>
    withPage({ javaScriptEnabled: false }, async (page) => {
      await visit(page, path);
      expect(await page.getByText(text).first().isVisible()).toBe(true);
      expect(await page.locator('h1').isVisible()).toBe(true);
    }),
  );

  it.each(pages)('the page /%s fits a screen of 320 pixels', (path) =>
    withPage({ viewport: { width: 320, height: 600 } }, async (page) => {
      await visit(page, path);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      expect(await page.evaluate('document.body.scrollWidth')).toBe(320);
    }),
  );
});

it('a former address redirects to the new one and leaves no entry in the browser history', () =>
  withPage({}, async (page) => {
    await page.goto(blogUrl);
    await visit(page, 'old-address/');
    expect(await page.locator('h1').innerText()).toBe('Moved');
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${blogUrl}new-address/`);
    await page.goBack();
    await expect.poll(() => page.url()).toBe(blogUrl);
  }));

it('the first Tab stop skips the header and leads to the text', () =>
  withPage({}, async (page) => {
    await visit(page, 'everything/');
    const skip = page.locator('a.skip');
    const isInView = async () => ((await skip.boundingBox())?.y ?? -1) >= 0;
    expect(await isInView()).toBe(false);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    expect(await isInView()).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('Content');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
  }));

it('readers who prefer a dark scheme get other colours with enough contrast', async () => {
  const lightness = (rgb: string) =>
    (rgb.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
  const inScheme = async (colorScheme: 'light' | 'dark') => {
    let colours: [string, string] = ['', ''];
    await withPage({ colorScheme }, async (page) => {
      await visit(page, 'everything/');
      const style = 'getComputedStyle(document.body)';
      colours = [await page.evaluate(`${style}.backgroundColor`), await page.evaluate(`${style}.color`)];
    });
    return { paper: lightness(colours[0]), ink: lightness(colours[1]) };
  };
  const [light, dark] = [await inScheme('light'), await inScheme('dark')];
  expect(light.paper - light.ink).toBeGreaterThan(400);
  expect(dark.ink - dark.paper).toBeGreaterThan(400);
});

it('an Arabic post runs from right to left', () =>
  withPage({}, async (page) => {
    await visit(page, 'arabic/');
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    expect(await page.locator('html').getAttribute('lang')).toBe('ar');
    expect(await page.evaluate('getComputedStyle(document.querySelector(".prose p")).direction')).toBe('rtl');
    const [heading, main] = [
      await page.locator('h1').boundingBox(),
      await page.locator('main').boundingBox(),
    ];
    expect((heading?.x ?? 0) + (heading?.width ?? 0)).toBeCloseTo((main?.x ?? 1) + (main?.width ?? 1), 0);
    await visit(page, 'everything/');
    expect(await page.locator('html').getAttribute('dir')).toBe('ltr');
  }));
