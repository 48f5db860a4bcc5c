// Slow: starts a server and Chromium, which loads Swagger UI for every test.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
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

/** Opens the API reference and collects complaints: every error on the page, and every request to another host. */
async function open(colorScheme: 'light' | 'dark'): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 1000 } });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== platen.origin && protocol !== 'data:') complaints.push(request.url());
  });
  await page.goto(`${platen.origin}/docs`);
  await page.locator('.opblock').first().waitFor();
  return { page, complaints };
}

it('the API reference lists every operation and links to the OpenAPI document', async () => {
  const { page, complaints } = await open('light');
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
  const { page, complaints } = await open('light');
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
  const { page, complaints } = await open(scheme);
  const colour = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  expect(await colour()).toBe(background);
  await page.emulateMedia({ colorScheme: other });
  await expect.poll(colour).not.toBe(background);
  expect(complaints).toEqual([]);
  await page.close();
});

it('the API reference loads nothing from other hosts and serves no other file of its package', async () => {
  const page = await fetch(`${platen.origin}/docs`);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  for (const file of ['index.html', 'package.json', 'swagger-ui-bundle.js.map', '..%2fpackage.json']) {
    expect((await fetch(`${platen.origin}/docs/${file}`)).status).toBe(404);
  }
});
