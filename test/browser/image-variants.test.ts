// Slow: starts a server and Chromium, and waits until the server has encoded the variants of several images.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { photo } from '../support/pictures.ts';
import { startTestPlaten, type TestPlaten } from '../support/platen.ts';

let platen: TestPlaten;
let browser: Browser;
let url: string;

beforeAll(async () => {
  [platen, browser] = await Promise.all([startTestPlaten(), openBrowser()]);
  const data = (await (await photo(2000, 1500)).jpeg({ quality: 92 }).toBuffer()).toString('base64');
  const { json: image } = await platen.call('POST', '/upload', {
    data,
    content_type: 'image/jpeg',
    filename: 'a',
  });
  const content = [
    `Some words.\n\n![Wide](${image.url})\n\nMore words.`,
    `<img src="${image.url}" alt="Narrow" width="200" height="150">`,
    `[![Linked](${image.url})](/)`,
    `<figure><img src="${image.url}" alt="Figure"><figcaption>A figure</figcaption></figure>`,
    `| a | b |\n|---|---|\n| ![Cell](${image.url}) | b |`,
    `مرحبا بالعالم ![Arabic](${image.url})`,
    '<p id="end">The end.</p>',
  ].join('\n\n');
  const post = { title: 'Pictures', slug: 'pictures', content, status: 'published' };
  url = (await platen.call('POST', '/posts', post, { headers: { Prefer: 'wait=60' } })).json.url;
  const isShown = async () =>
    expect((await platen.read('starter', '/pictures/')).text).toContain('<picture>');
  await vi.waitFor(isShown, { timeout: 60_000, interval: 250 });
}, 300_000);

afterAll(async () => {
  await browser.close();
  await platen.close();
});

async function withPage(
  options: BrowserContextOptions,
  prepare: (page: Page) => Promise<void>,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    await prepare(page);
    await page.goto(url);
    await work(page);
  } finally {
    await context.close();
  }
}
const asItIs = async () => {};

/** Scrolls to an image and waits until it has loaded. */
async function shown(page: Page, alt: string): Promise<{ file: string; width: number; height: number }> {
  const image = page.getByAltText(alt);
  await image.scrollIntoViewIfNeeded();
  const it = `document.querySelector('img[alt="${alt}"]')`;
  await expect.poll(() => page.evaluate(`${it}.complete && ${it}.naturalWidth > 0`)).toBe(true);
  const file: string = await page.evaluate(`${it}.currentSrc`);
  const box = await image.boundingBox();
  return { file: file.replace(/.*-/, ''), width: box?.width ?? 0, height: box?.height ?? 0 };
}

describe('responsive images in a browser', () => {
  it.each([
    ['a phone', { width: 390, height: 800 }, 1, '480.avif'],
    ['a phone with a double-density screen', { width: 390, height: 800 }, 2, '800.avif'],
    ['a phone with a triple-density screen', { width: 390, height: 800 }, 3, '1200.avif'],
    ['a wide screen', { width: 1280, height: 800 }, 1, '800.avif'],
    ['a wide double-density screen', { width: 1280, height: 800 }, 2, '1600.avif'],
  ])(
    'a browser on %s loads the narrowest file that fills the width shown',
    async (_name, viewport, deviceScaleFactor, file) => {
      await withPage({ viewport, deviceScaleFactor }, asItIs, async (page) => {
        const { file: loaded, width, height } = await shown(page, 'Wide');
        expect(loaded).toBe(file);
        expect(width).toBeLessThanOrEqual(Number.parseInt(file, 10) / deviceScaleFactor);
        expect(height / width).toBeCloseTo(0.75, 2);
        const column: number = await page.evaluate(`document.querySelector('.prose').clientWidth`);
        expect(Math.abs(width - column)).toBeLessThan(1);
      });
    },
  );

  it('a browser loads the narrowest file for an image that its author made small', async () => {
    await withPage({ viewport: { width: 1280, height: 800 } }, asItIs, async (page) => {
      expect(await shown(page, 'Narrow')).toEqual({ file: '480.avif', width: 200, height: 150 });
    });
  });

  it.each(['Linked', 'Figure', 'Cell', 'Arabic'])(
    'a browser shows an image in its whole width and true proportions at every place: %s',
    async (alt) => {
      for (const width of [320, 1280]) {
        await withPage({ viewport: { width, height: 800 } }, asItIs, async (page) => {
          const image = await shown(page, alt);
          expect(image.file).toMatch(/^\d+\.avif$/);
          expect(image.height / image.width).toBeCloseTo(0.75, 2);
          expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        });
      }
    },
  );

  it('an image that arrives late does not shift the page', async () => {
    const slowly = async (page: Page) => {
      await page.route('**/media/**', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        await route.continue();
      });
      await page.addInitScript(`
        window.shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) window.shift += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });`);
    };
    await withPage({ viewport: { width: 390, height: 800 } }, slowly, async (page) => {
      const end = () => page.evaluate<number>(`document.querySelector('#user-content-end').offsetTop`);
      const before = await end();
      for (const alt of ['Wide', 'Narrow', 'Linked', 'Figure', 'Arabic']) await shown(page, alt);
      expect(await end()).toBe(before);
      expect(await page.evaluate('window.shift')).toBe(0);
    });
  });
});
