// Slow: starts a server and Chromium, and opens pages at several widths.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { startTestPlaten, type TestPlaten } from '../support/platen.ts';
import { latin, publishEverything } from '../support/theme-blog.ts';
import { type Visitor, visitBlogs } from '../support/theme-visitor.ts';

let platen: TestPlaten;
let browser: Browser;
let blogUrl: string;

beforeAll(async () => {
  [platen, browser] = await Promise.all([startTestPlaten(), openBrowser()]);
  blogUrl = await publishEverything(platen, {
    ...{ slug: 'plain', name: 'Ink & Paper' },
    settings: { author: { name: 'Ada', url: 'https://ada.example/' } },
  });
});

afterAll(async () => {
  await browser.close();
  await platen.close();
});

const withPage = (options: BrowserContextOptions, work: (visitor: Visitor) => Promise<void>): Promise<void> =>
  visitBlogs({ browser, platen }, options, work);

it('the details of a post stand on one line, with one distance, also an author with a link', async () => {
  await withPage({ viewport: { width: 1280, height: 800 } }, async ({ page }) => {
    await page.goto(`${blogUrl}everything/`);
    const details = page.locator('.post .meta').first();
    expect(await details.locator('a').textContent()).toBe('Ada');
    // The place of the text itself: the box of an item in this line is higher.
    const tops = await page.evaluate<number[]>(`
      [...document.querySelector('.post .meta').querySelectorAll('time, bdi')].map((words) => {
        const range = document.createRange();
        range.selectNodeContents(words);
        return range.getBoundingClientRect().top;
      })`);
    expect(tops.length).toBeGreaterThan(2);
    for (const top of tops) expect(top).toBeCloseTo(tops[0] ?? 0, 0);
    // The sign before it has its own distance, so no white space may follow.
    expect(await details.locator('.byline').evaluate((byline) => byline.textContent)).toBe('Ada');
  });
});

describe('the switch between the colour schemes', () => {
  const paper = (page: Page): Promise<string> =>
    page.evaluate('getComputedStyle(document.body).backgroundColor');
  const bars = (page: Page) =>
    page
      .locator('meta[name=theme-color]')
      .evaluateAll((metas) => metas.map((meta) => meta.getAttribute('content')));
  const button = (page: Page) => page.getByRole('button', { name: 'Dark colours' });

  it('the scheme switch works by keyboard, is remembered on every page, and applies before the first paint', async () => {
    await withPage({ colorScheme: 'light' }, async ({ page }) => {
      await page.goto(blogUrl);
      const light = await paper(page);
      expect(await button(page).getAttribute('aria-pressed')).toBe('false');
      await button(page).focus();
      await page.keyboard.press('Enter');
      expect(await button(page).getAttribute('aria-pressed')).toBe('true');
      const dark = await paper(page);
      expect(dark).not.toBe(light);
      expect(new Set(await bars(page)).size).toBe(1);

      await page.goto(`${blogUrl}everything/`);
      expect(await paper(page)).toBe(dark);
      expect(await button(page).getAttribute('aria-pressed')).toBe('true');
      // The script must precede the styles, and the styles must precede the body.
      const html = (await platen.read('plain', '/everything/')).text;
      expect(html.indexOf('localStorage')).toBeLessThan(html.indexOf('<style>'));

      await page.keyboard.press('Tab');
      await button(page).click();
      expect(await paper(page)).toBe(light);
      expect(new Set(await bars(page)).size).toBe(2);
      // Once the choice equals the system preference, the page follows the system again.
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await paper(page)).toBe(dark);
      await expect.poll(() => button(page).getAttribute('aria-pressed')).toBe('true');
    });
  });

  it('the scheme switch works if the browser stores nothing', async () => {
    await withPage({ colorScheme: 'dark' }, async ({ page, complaints }) => {
      await page.addInitScript(
        `Object.defineProperty(window, 'localStorage', { get() { throw new Error('no') } })`,
      );
      await page.goto(blogUrl);
      const dark = await paper(page);
      await button(page).click();
      expect(await paper(page)).not.toBe(dark);
      expect(complaints).toEqual([]);
    });
  });

  it('without JavaScript there is no scheme switch, and the system sets the scheme', async () => {
    await withPage({ colorScheme: 'dark', javaScriptEnabled: false }, async ({ page }) => {
      await page.goto(blogUrl);
      expect(await page.locator('button').isVisible()).toBe(false);
      expect(await page.locator('meta[name=color-scheme]').getAttribute('content')).toBe('light dark');
    });
  });
});

describe('the table of contents of a long post', () => {
  it.each([
    [390, false],
    [1280, true],
  ])('the table of contents on a screen of %i pixels is open: %s', async (width, open) => {
    await withPage({ viewport: { width, height: 800 } }, async ({ page }) => {
      for (const [path, name] of [
        ['long/', 'Contents'],
        ['arabic/', 'المحتويات'],
      ] as const) {
        await page.goto(blogUrl + path);
        const contents = page.getByRole('navigation', { name });
        expect(await contents.getByRole('link').first().isVisible()).toBe(open);
        await contents.locator('summary').click();
        expect(await contents.getByRole('link').first().isVisible()).toBe(!open);
      }
    });
  });

  it('the table of contents is beside the text if there is room, on the side where lines begin', async () => {
    await withPage({ viewport: { width: 1280, height: 800 } }, async ({ page }) => {
      const sides = async (path: string) => {
        await page.goto(blogUrl + path);
        const [contents, prose] = [
          await page.locator('.contents').boundingBox(),
          await page.locator('.prose').boundingBox(),
        ];
        if (!contents || !prose) throw new Error('not drawn');
        return {
          after: contents.x - (prose.x + prose.width),
          before: prose.x - (contents.x + contents.width),
        };
      };
      expect((await sides('long/')).after).toBeGreaterThan(20);
      expect((await sides('arabic/')).before).toBeGreaterThan(20);
    });
  });
});

it('lists of a right-to-left post have their markers on the right', async () => {
  await withPage({}, async ({ page }) => {
    await page.goto(`${blogUrl}arabic/`);
    const directions =
      'Array.from(document.querySelectorAll(".prose ul"), (ul) => getComputedStyle(ul).direction)';
    expect(await page.evaluate(directions)).toEqual(['rtl']);
  });
});

it('a line of Latin text is 60 to 70 characters long', async () => {
  await withPage({ viewport: { width: 1280, height: 800 } }, async ({ page }) => {
    await page.goto(`${blogUrl}long/`);
    const perLine = await page.evaluate<number>(`(() => {
      const probe = document.createElement('span');
      probe.textContent = ${JSON.stringify(latin)}.repeat(2);
      probe.style.whiteSpace = 'nowrap';
      const place = document.querySelector('.prose p');
      const room = place.clientWidth;
      place.append(probe);
      return probe.textContent.length * room / probe.getBoundingClientRect().width;
    })()`);
    expect(perLine).toBeGreaterThan(60);
    expect(perLine).toBeLessThan(70);
  });
});

it('a line of Japanese text is some 36 characters long', async () => {
  await withPage({ viewport: { width: 1280, height: 800 } }, async ({ page }) => {
    await page.goto(`${blogUrl}japanese/`);
    // An ideograph is one em wide.
    const perLine = await page.evaluate<number>(`(() => {
      const place = document.querySelector('.prose p');
      return place.clientWidth / Number.parseFloat(getComputedStyle(place).fontSize);
    })()`);
    expect(perLine).toBeGreaterThan(34);
    expect(perLine).toBeLessThan(38);
  });
});

describe('a page speaks the language of its post', () => {
  it('the copy button does, and says that it has copied', async () => {
    await withPage({ permissions: ['clipboard-write'] }, async ({ page }) => {
      await page.goto(`${blogUrl}arabic/`);
      const button = page.getByRole('button', { name: 'نسخ الشفرة' });
      // Code begins at the left, whatever the language.
      const [own, code] = [await button.boundingBox(), await page.locator('.copyable').first().boundingBox()];
      expect(own?.x ?? 0).toBeGreaterThan((code?.x ?? 0) + (code?.width ?? 0) / 2);
      await button.click();
      await expect.poll(() => page.locator('.copy').first().textContent()).toBe('نُسخت');
    });
  });
});
