import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import sharp from 'sharp';
import { readConfig } from '../server/config/config.ts';
import { startPlaten } from '../server/platen.ts';
import { publishDemo } from './demo/publish-demo.ts';
import { findChromium } from './tools/chromium.ts';

/**
 * Takes the pictures of the README (`docs/images`): starts Platen on a temporary folder, publishes the demo, and opens
 * its pages in Chromium. Each picture shows a page on a wide screen beside one on a phone, in the two colour schemes.
 * The fonts are those of the machine; the theme looks for Noto Serif and Noto Sans on Linux.
 */

/** A page and how it is shown. `until` is an element to wait for; `at`, one to scroll to. */
interface Shot {
  readonly url: string;
  readonly scheme: 'light' | 'dark';
  readonly until?: string;
  readonly at?: string;
}

interface Picture {
  readonly name: string;
  readonly wide: Shot;
  readonly phone: Shot;
}

/** Sizes in pixels. */
const HEIGHT = 860;
const WIDE = 1120;
const PHONE = 400;
const GAP = 24;
const BACKGROUND = '#8a867a';

const images = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'platen-screenshots-'));
const platen = await startPlaten(
  readConfig({ LOG_LEVEL: 'warn', PORT: process.env.PORT ?? '8080', PLATEN_DATA_DIR: dataDir }),
);
try {
  const api = platen.services.config.publicUrl;
  const blog = await publishDemo({ api, key: platen.firstKey?.secret ?? '', onProgress: () => {} });
  const browser = await chromium.launch({
    executablePath: findChromium(['/usr/bin/chromium-headless-shell', chromium.executablePath()]) ?? '',
    args: ['--no-sandbox', '--host-resolver-rules=MAP *.localhost 127.0.0.1'],
  });
  for (const picture of picturesOf(blog.url, `${api}/docs/`)) await take(browser, picture);
  await browser.close();
} finally {
  await platen.stop();
  rmSync(dataDir, { recursive: true });
}

function picturesOf(blog: string, guides: string): Picture[] {
  return [
    {
      name: 'demo',
      wide: { url: blog, scheme: 'light' },
      phone: { url: `${blog}what-platen-is/`, scheme: 'dark' },
    },
    {
      name: 'search',
      wide: { url: `${blog}search/?q=pages`, scheme: 'dark', until: '.results > li' },
      phone: { url: `${blog}what-markdown-can-do-here/`, scheme: 'light', at: '#code' },
    },
    {
      name: 'guides',
      wide: { url: `${guides}markdown/`, scheme: 'light', at: '#callouts' },
      phone: { url: `${guides}start/`, scheme: 'dark' },
    },
  ];
}

async function take(browser: Browser, { name, wide, phone }: Picture): Promise<void> {
  const place = (input: Buffer, left: number) => ({ input, left, top: GAP });
  const canvas = {
    width: GAP + WIDE + GAP + PHONE + GAP,
    height: GAP + HEIGHT + GAP,
    channels: 3 as const,
    background: BACKGROUND,
  };
  await sharp({ create: canvas })
    .composite([
      place(await shoot(browser, wide, WIDE), GAP),
      place(await shoot(browser, phone, PHONE), GAP + WIDE + GAP),
    ])
    .png({ palette: true, colours: 64, effort: 10 })
    .toFile(join(images, `${name}.png`));
}

async function shoot(browser: Browser, { url, scheme, until, at }: Shot, width: number): Promise<Buffer> {
  const page = await browser.newPage({ colorScheme: scheme, viewport: { width, height: HEIGHT } });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(url);
  if (until !== undefined) await page.locator(until).first().waitFor();
  if (at !== undefined) {
    await page.evaluate(`document.querySelector(${JSON.stringify(at)}).scrollIntoView()`);
  }
  await page.evaluate('document.fonts.ready.then(() => document.activeElement.blur())');
  // Scrolled out of sight, some load only when they are asked for, and the rest is decoded after the first paint.
  await page.evaluate(
    'Promise.all([...document.images].map((image) => { image.loading = "eager"; return image.decode(); }))',
  );
  const picture = await page.screenshot();
  await page.close();
  return picture;
}
