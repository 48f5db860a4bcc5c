import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestPlaten } from './platen.ts';

/** The browser and the server for a visit to blogs. */
export interface Visiting {
  readonly browser: Browser;
  readonly platen: TestPlaten;
}

export interface Visitor {
  readonly page: Page;
  readonly complaints: string[];
}

/** Opens a page, and waits until its search results are shown. */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  if (new URL(url).searchParams.has('q')) await page.locator('.results > li').first().waitFor();
}

/** The HTML of a page as it is served, or after its script has run on a search page. */
export async function htmlOf(visiting: Visiting, url: string): Promise<string> {
  const { hostname, pathname, searchParams } = new URL(url);
  if (leadsOn(url)) return redirectPage(visiting.platen, url);
  if (!searchParams.has('q')) return (await visiting.platen.read(slugOf(hostname), pathname)).text;
  let html = '';
  await visitBlogs(visiting, {}, async ({ page }) => {
    await openPage(page, url);
    html = await page.content();
  });
  return html;
}

const leadsOn = (url: string): boolean => url.endsWith('/old-address/');

/** The file of a redirect page, as web servers without redirects would serve it. */
function redirectPage({ dataDir }: TestPlaten, url: string): string {
  const { hostname, pathname } = new URL(url);
  return readFileSync(join(dataDir, 'edge', 'sites', slugOf(hostname), pathname, 'index.html'), 'utf8');
}

const slugOf = (hostname: string): string => hostname.split('.')[0] ?? '';

/** A browser page that connects to the blogs only and does not follow redirect pages. */
export async function visitBlogs(
  { browser, platen }: Visiting,
  options: BrowserContextOptions,
  work: (visitor: Visitor) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  const complaints: string[] = [];
  await context.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    console.error('violates ' + event.violatedDirective + ': ' + event.blockedURI))`);
  await context.route('**/*', async (route) => {
    const url = route.request().url();
    if (!new URL(url).hostname.endsWith('.localhost')) {
      complaints.push(`request to ${url}`);
      await route.abort();
    } else if (leadsOn(url)) {
      const body = redirectPage(platen, url).replace(/<meta http-equiv="refresh"[^>]*>/, '');
      await route.fulfill({ contentType: 'text/html; charset=utf-8', body });
    } else await route.continue();
  });
  const page = await context.newPage();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  try {
    await work({ page, complaints });
  } finally {
    await context.close();
  }
}
