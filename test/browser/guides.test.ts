// Slow: starts a server and Chromium, which loads Swagger UI for the tests of the reference and opens pages of the
// guides in both colour schemes.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packClient } from '../../scripts/packages/pack-client.ts';
import { openBrowser } from '../support/browser.ts';
import { root } from '../support/packed-client.ts';
import { startTestPlaten, type TestPlaten } from '../support/platen.ts';

let platen: TestPlaten;
let browser: Browser;
beforeAll(async () => {
  platen = await startTestPlaten();
  browser = await openBrowser();
}, 660_000);
afterAll(async () => {
  await browser.close();
  await platen.close();
});

/** Opens a page and collects complaints: every error on the page, and every request to another host. */
async function open(path: string, options: BrowserContextOptions = {}) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 1000 }, ...options });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== platen.origin && protocol !== 'data:') complaints.push(request.url());
  });
  await page.goto(platen.origin + path);
  return { page, complaints };
}

async function openReference(colorScheme: 'light' | 'dark'): Promise<{ page: Page; complaints: string[] }> {
  const opened = await open('/docs/reference/', { colorScheme });
  await opened.page.locator('.opblock').first().waitFor();
  return opened;
}

it('the API reference lists every operation and links to the OpenAPI document', async () => {
  const { page, complaints } = await openReference('light');
  const document = await platen.call('GET', '/openapi.json', undefined, { key: null });
  const operations = Object.values<object>(document.json.paths).flatMap((methods) => Object.keys(methods));
  await expect.poll(() => page.locator('.opblock').count()).toBe(operations.length);
  expect(await page.title()).toBe('Platen API reference');
  expect(await page.getAttribute('html', 'lang')).toBe('en');
  await page.getByRole('link', { name: 'OpenAPI document' }).click();
  await page.waitForURL(`${platen.origin}/v1/openapi.json`);
  expect(complaints).toEqual([]);
  await page.close();
});

it('a reader of the API reference can try a request with a pasted key, by keyboard alone', async () => {
  const { page, complaints } = await openReference('light');
  const press = async (selector: string) => {
    await page.locator(selector).first().focus();
    await page.keyboard.press('Enter');
  };
  await press('.auth-wrapper .authorize');
  await page.locator('.modal-ux input').focus();
  await page.keyboard.insertText(platen.key);
  await press('.modal-ux .authorize');
  await press('.modal-ux .btn-done');
  const operation = '#operations-Posts-createPost';
  await press(`${operation} .opblock-summary-control`);
  await press(`${operation} .try-out__btn`);
  const tried = page.waitForRequest(`${platen.origin}/v1/posts`);
  await press(`${operation} .execute`);
  expect((await tried).headers().prefer).toBe('handling=strict, wait=10');
  const answer = page.locator(`${operation} .live-responses-table`);
  await answer.waitFor();
  expect(await answer.locator('.response-col_status').allInnerTexts()).toContainEqual(
    expect.stringContaining('201'),
  );
  expect((await platen.call('GET', '/posts/hello-world')).status).toBe(200);
  expect(complaints).toEqual([]);
  await page.close();
});

it.each([
  ['light', 'dark', 'rgb(255, 255, 255)'],
  ['dark', 'light', 'rgb(28, 32, 34)'],
] as const)('the API reference is %s for readers who prefer that', async (scheme, other, background) => {
  const { page, complaints } = await openReference(scheme);
  const colour = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  expect(await colour()).toBe(background);
  await page.emulateMedia({ colorScheme: other });
  await expect.poll(colour).not.toBe(background);
  expect(complaints).toEqual([]);
  await page.close();
});

it('the API reference loads nothing from other hosts and serves no other file of its package', async () => {
  const page = await fetch(`${platen.origin}/docs/reference/`);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  for (const file of ['index.html', 'package.json', 'swagger-ui-bundle.js.map', '..%2fpackage.json']) {
    expect((await fetch(`${platen.origin}/docs/reference/${file}`)).status).toBe(404);
  }
});

/** Paths of the public host, and what to wait for there. */
const guidePages = [
  ['/', 'main h1'],
  ['/docs/', '.overview'],
  ['/docs/markdown/', '.example'],
  ['/docs/operations/', 'table'],
  ['/docs/search/?q=layout', '.results > li'],
  ['/nowhere', 'main h1'],
] as const;

/** Chromium logs an error for every 404. */
const withoutMissing = (complaints: readonly string[]) =>
  complaints.filter((complaint) => !/^Failed to load resource: .*404/.test(complaint));

describe('the pages of the public host', () => {
  it('axe finds no fault on them, and enough contrast in both schemes', async () => {
    const found: string[] = [];
    const { page, complaints } = await open('/', { bypassCSP: true });
    const judge = async (path: string, rules: object) => {
      const result = await page.evaluate<axe.AxeResults>(`axe.run({ runOnly: ${JSON.stringify(rules)} })`);
      expect(result.passes.length).toBeGreaterThan(0);
      for (const { id, nodes } of result.violations) {
        found.push(...nodes.map(({ html, failureSummary }) => `${path}: ${id}: ${html} ${failureSummary}`));
      }
    };
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    for (const [path, awaited] of guidePages) {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(platen.origin + path);
      await page.locator(awaited).first().waitFor();
      await page.evaluate(axe.source);
      await judge(path, tags);
      await page.emulateMedia({ colorScheme: 'dark' });
      await judge(`${path} in the dark`, { type: 'rule', values: ['color-contrast'] });
    }
    expect(found).toEqual([]);
    expect(withoutMissing(complaints)).toEqual([]);
    await page.close();
  });

  it('they fit a phone and break no policy', async () => {
    const { page, complaints } = await open('/', { viewport: { width: 360, height: 700 } });
    for (const [path, awaited] of guidePages) {
      await page.goto(platen.origin + path);
      await page.locator(awaited).first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(360);
    }
    expect(withoutMissing(complaints)).toEqual([]);
    await page.close();
  });

  it('a search for a word leads by keyboard to the section that has it', async () => {
    const { page, complaints } = await open('/docs/');
    await page.getByRole('link', { name: 'Search' }).press('Enter');
    await page.waitForURL(`${platen.origin}/docs/search/`);
    await page.keyboard.type('conditional wri');
    const results = page.locator('.results h2');
    await expect.poll(() => results.first().textContent()).toBe('Conditional writes');
    expect(new URL(page.url()).searchParams.get('q')).toBe('conditional wri');
    expect(await page.getByRole('status').textContent()).toMatch(/^\d+ sections? found\.$/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${platen.origin}/docs/api/#conditional-writes`);
    expect(await page.locator('#conditional-writes').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('a search in the overview finds sections with natural words', async () => {
    const { page, complaints } = await open('/docs/');
    await page.getByRole('searchbox').fill('How do I publish with a date in the past?');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${platen.origin}/docs/search/?q=*`);
    const results = page.locator('.results h2');
    await expect.poll(() => results.allTextContents()).toContain('Dates in the past');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('a search without a match says so', async () => {
    const { page } = await open('/docs/search/?q=xylophone');
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Nothing found.');
    await page.close();
  });

  it('the guides before and after a guide are a line of their own, on both sides', async () => {
    const { page } = await open('/docs/api/');
    const links = page.getByRole('navigation', { name: 'Guides in order' }).getByRole('link');
    const [before, after] = [await links.first().boundingBox(), await links.last().boundingBox()];
    expect(await links.count()).toBe(2);
    expect(after?.y).toBe(before?.y);
    const [last, nav] = [links.last(), page.getByRole('navigation', { name: 'Guides in order' })];
    const [name, whole] = [await last.locator('bdi').boundingBox(), await nav.boundingBox()];
    if (!name || !whole) throw new Error('not drawn');
    expect(name.x + name.width).toBeCloseTo(whole.x + whole.width, 0);
    await page.close();
  });

  it('the contents stand open beside a guide, and on a phone behind a button', async () => {
    const wide = await open('/docs/api/');
    const link = (page: Page) => page.getByRole('navigation', { name: 'Guides' }).getByText('Rate limits');
    expect(await link(wide.page).isVisible()).toBe(true);
    await wide.page.close();
    const phone = await open('/docs/api/', { viewport: { width: 360, height: 700 } });
    expect(await link(phone.page).isVisible()).toBe(false);
    await phone.page.getByText('Contents', { exact: true }).click();
    await link(phone.page).click();
    await phone.page.waitForURL(/#rate-limits$/);
    await phone.page.close();
  });

  it('a link to an operation at the former address of the reference still leads there', async () => {
    const { page } = await open('/docs#/Posts/createPost');
    await page.waitForURL(`${platen.origin}/docs/reference/#/Posts/createPost`);
    await page.locator('#operations-Posts-createPost.is-open').waitFor();
    await page.close();
  });
});

describe('a page of another site, with the SDK', () => {
  let out: string;
  let page: Page;
  let site: string;
  let server: Server;
  beforeAll(async () => {
    out = mkdtempSync(join(tmpdir(), 'platen-sdk-'));
    await packClient({ root, name: 'sdk', out });
    server = createServer((req, res) =>
      req.url === '/index.js'
        ? res.setHeader('Content-Type', 'text/javascript').end(readFileSync(join(out, 'index.js')))
        : res.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Another site</title>'),
    ).listen(0, 'localhost');
    await once(server, 'listening');
    site = `http://localhost:${Object(server.address()).port}`;
    page = await browser.newPage();
    await page.goto(site);
  });
  afterAll(async () => {
    await page.close();
    server.close();
    rmSync(out, { recursive: true });
  });

  /** Runs a function of the page with the module of the SDK and a client. */
  const run = (body: string) =>
    page.evaluate(`(async () => {
      const sdk = await import('${site}/index.js');
      const platen = new sdk.Platen(${JSON.stringify({ apiKey: platen.key, url: platen.origin })});
      ${body}
    })()`);

  it('uploads an image and publishes a post, which is live then', async () => {
    const url = await run(`
      const canvas = document.createElement('canvas');
      const blob = await new Promise((resolve) => canvas.toBlob(resolve));
      const image = await platen.images.upload(new File([blob], 'drawing.png'));
      const post = await platen.posts.create({
        title: 'From a page', content: '![A drawing](' + image.url + ')', status: 'published',
      });
      await platen.waitUntilLive(post);
      return post.url;
    `);
    expect(url).toMatch(/\/from-a-page\/$/);
    expect((await platen.read('starter', '/from-a-page/')).text).toContain('A drawing');
  });

  it('reads the headers that it needs, and gets errors as in Node', async () => {
    const found = await run(`
      const post = await platen.posts.get('from-a-page');
      const { etag } = sdk.responseOf(post);
      const changed = await platen.posts.update(post.slug, { title: 'Changed' }, { ifMatch: etag, wait: 60 });
      const errorOf = (promise) => promise.then(() => null, (error) => [error.name, error.code, error.status]);
      return [
        sdk.responseOf(changed).isLive,
        await errorOf(platen.posts.get('nowhere')),
        await errorOf(new sdk.Platen({ url: '${site}/', apiKey: 'pk_live_x', maxRetries: 0 }).account.profile()),
        await errorOf(new sdk.Platen({ url: 'http://127.0.0.1:9', apiKey: 'pk_live_x', maxRetries: 0 }).account.profile()),
        await errorOf(new sdk.Platen({ url: '${site}' }).account.profile()),
      ];
    `);
    expect(found).toEqual([
      true,
      ['NotFoundError', 'not_found', 404],
      ['PlatenError', 'unexpected_answer', 200],
      ['ConnectionError', 'connection_failed', undefined],
      ['UnauthorizedError', 'unauthorized', undefined],
    ]);
  });
});
