import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestPlaten } from './platen.ts';

export interface Visitor {
  readonly page: Page;
  readonly complaints: string[];
}

/** A browser page that speaks to the blogs alone, and stays on a page that would lead on. */
export async function visitBlogs(
  { browser, platen }: { browser: Browser; platen: TestPlaten },
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
    } else if (url.endsWith('/old-address/')) {
      const { status, headers, text } = await platen.read(
        new URL(url).hostname.split('.')[0] ?? '',
        '/old-address/',
      );
      const body = text.replace(/<meta http-equiv="refresh"[^>]*>/, '');
      await route.fulfill({ status, headers: Object.fromEntries(headers), body });
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
