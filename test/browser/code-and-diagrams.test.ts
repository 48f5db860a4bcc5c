// Slow: starts a server and Chromium, and opens each page at several widths and in both colour schemes.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { startTestPlaten, type TestPlaten } from '../support/platen.ts';

const content = `[TOC]

## Code

\`\`\`js title="sum.js" {2} showLineNumbers
const a = 1;
const b = '${'wide '.repeat(40)}';
\`\`\`

\`\`\`diff
-old
+new
\`\`\`

## Formula

$$
\\frac{a}{b} = \\begin{pmatrix}1 & 2\\\\3 & 4\\end{pmatrix}
$$

## Diagram

\`\`\`mermaid
graph LR
  A[${'A long label '.repeat(4)}]-->B[Next]-->C[Last]
\`\`\`

https://youtu.be/aqz-KE-bpKQ
`;

let platen: TestPlaten;
let browser: Browser;
let url: string;

beforeAll(async () => {
  [platen, browser] = await Promise.all([startTestPlaten(), openBrowser()]);
  const blog = (await platen.call('POST', '/blogs', { slug: 'drawn', name: 'Drawn' })).json;
  const headers = { 'X-Blog-Id': blog.id, Prefer: 'wait=60' };
  const post = { title: 'Drawn', content, status: 'published' };
  url = (await platen.call('POST', '/posts', post, { headers })).json.url;
});

afterAll(async () => {
  await browser.close();
  await platen.close();
});

async function withPage(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  // Requests to other hosts are blocked, even the video frame's.
  await context.route('**/*', (route) =>
    new URL(route.request().url()).hostname.endsWith('localhost') ? route.continue() : route.abort(),
  );
  try {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(url);
    await work(page);
    expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
  } finally {
    await context.close();
  }
}

/** Runs in the page: contrast ratio (WCAG 2) of each coloured token against its background. */
const contrastsOfTokens = `
  const luminance = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  Array.from(document.querySelectorAll('pre [class^="hljs-"]'), (token) => {
    const ground = getComputedStyle(token.closest('pre')).backgroundColor;
    const [low, high] = [luminance(getComputedStyle(token).color), luminance(ground)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  });
`;

describe('a post with code, a formula and a diagram', () => {
  it('the copy button of a code block copies the code exactly as the author typed it', async () => {
    await withPage({}, async (page) => {
      const buttons = page.getByRole('button', { name: 'Copy code' });
      expect(await buttons.count()).toBe(2);
      await buttons.first().focus();
      // The button confirms for two seconds only, so record the confirmation in case the poll comes too late.
      await page.evaluate(`window.said = new Promise((resolve) => {
        const look = () => document.querySelector('button[aria-label="Copied"]') && resolve();
        new MutationObserver(look).observe(document.body, { subtree: true, attributes: true });
      }), 0`);
      await page.keyboard.press('Enter');
      await page.evaluate('window.said');
      const copied = await page.evaluate('navigator.clipboard.readText()');
      expect(copied).toBe(`const a = 1;\nconst b = '${'wide '.repeat(40)}';\n`);
    });
  });

  it('a page without JavaScript is complete and shows no control that would need a script', async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      expect(await page.getByRole('button').count()).toBe(0);
      expect(await page.locator('pre code').first().innerText()).toContain('const a = 1;');
      expect(
        await page.getByRole('navigation', { name: 'Contents' }).getByRole('link').allInnerTexts(),
      ).toEqual(['Code', 'Formula', 'Diagram']);
    });
  });

  it('the browser lays out the formula and the diagram', async () => {
    await withPage({}, async (page) => {
      const formula = await page.locator('math').boundingBox();
      expect(formula?.height).toBeGreaterThan(30);
      const diagram = page.locator('.diagram svg');
      expect((await diagram.boundingBox())?.width).toBeGreaterThan(300);
      expect(await diagram.getAttribute('aria-label')).toBe('Flowchart');
      expect(await page.locator('.diagram text', { hasText: 'Last' }).isVisible()).toBe(true);
    });
  });

  it.each([320, 1280])(
    'wide content scrolls within a page of %i pixels, with the keyboard too',
    async (width) => {
      await withPage({ viewport: { width, height: 800 } }, async (page) => {
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        const code = page.locator('pre').first();
        await code.focus();
        await page.keyboard.press('End');
        await page.keyboard.press('ArrowRight');
        await expect.poll(() => code.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
      });
    },
  );

  it.each(['light', 'dark'] as const)(
    'the colours of code have readable contrast: %s',
    async (colorScheme) => {
      await withPage({ colorScheme }, async (page) => {
        const contrasts = await page.evaluate<number[]>(contrastsOfTokens);
        expect(contrasts.length).toBeGreaterThan(3);
        expect(Math.min(...contrasts)).toBeGreaterThan(4.5);
      });
    },
  );
});
