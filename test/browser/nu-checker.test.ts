// Slow: starts the Nu Html Checker (Java) and checks every kind of page with it.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { openBrowser } from '../support/browser.ts';
import { startTestPlaten, type TestPlaten } from '../support/platen.ts';
import { pageKinds, publishEverything } from '../support/theme-blog.ts';
import { htmlOf } from '../support/theme-visitor.ts';

const require = createRequire(import.meta.url);
const jar = require.resolve('vnu-jar/build/dist/vnu.jar');

/** Messages of the checker that we overrule, word for word, each with the reason. */
const falseAlarms: readonly string[] = [
  // The second role of a diagram is a fallback for browsers that do not know the first (Graphics-ARIA, section 4.1).
  'Discarding superfluous token “document” from value of attribute “role”. Browsers only process the first token found that is a defined ARIA non-abstract role.',
  // The section of footnotes, which every GFM engine writes this way.
  'Section lacks heading. Consider using “h2”-“h6” elements to add identifying headings to all sections, or else use a “div” element instead for any cases where no heading is needed.',
];

/** A page with one fault in its HTML and one in its styles, to prove that the checker looks at both. */
const faulty =
  '<!doctype html><html lang="en"><title>Faulty</title><style>p{color:puce}</style><p><span id="a" id="b"></span></p></html>';

let platen: TestPlaten;
let browser: Browser;
let folder: string;

beforeAll(async () => {
  [platen, browser] = await Promise.all([startTestPlaten(), openBrowser()]);
  folder = mkdtempSync(join(tmpdir(), 'platen-nu-'));
});

afterAll(async () => {
  await browser.close();
  await platen.close();
  rmSync(folder, { recursive: true });
});

it('the Nu Html Checker finds no fault on any page', async () => {
  const settings = {
    accent_color: '#ffee00',
    language: 'ar',
    author: { name: 'Ada Byron', url: 'https://ada.example/', image: null },
    social_links: [{ label: 'Mastodon', url: 'https://social.example/@ada' }],
    navigation: [{ label: 'عنّي', url: '/everything/' }],
  };
  await writePages('plain', await publishEverything(platen, { slug: 'plain', name: 'Ink & Paper' }));
  await writePages('own', await publishEverything(platen, { slug: 'own', name: 'حبر وورق', settings }));
  write('faulty', faulty);
  expect(await faultsFound()).toEqual([
    'faulty: CSS: “color”: “puce” is not a “color” value.',
    'faulty: Duplicate attribute “id”.',
  ]);
}, 300_000);

async function writePages(blog: string, url: string): Promise<void> {
  for (const [kind, path] of Object.entries(pageKinds)) {
    write(`${blog}: ${kind}`, await htmlOf({ browser, platen }, url + path));
  }
}

/** Page names by file name. */
const names = new Map<string, string>();

function write(name: string, html: string): void {
  const file = `${names.size}.html`;
  writeFileSync(join(folder, file), html);
  names.set(file, name);
}

const report = z.object({
  messages: z.array(
    z.object({ type: z.string(), subType: z.string().optional(), url: z.string(), message: z.string() }),
  ),
});

/** Errors and warnings, each listed once per page. */
async function faultsFound(): Promise<string[]> {
  const options = ['--format', 'json', '--stdout', '--exit-zero-always', '--no-langdetect'];
  const run = promisify(execFile);
  const { stdout } = await run('java', ['-jar', jar, ...options, folder], { maxBuffer: 2 ** 26 });
  const { messages } = report.parse(JSON.parse(stdout));
  const faults = messages
    .filter(({ type, subType }) => type !== 'info' || subType === 'warning')
    .filter(({ message }) => !falseAlarms.includes(message))
    .map(({ url, message }) => `${names.get(basename(url))}: ${message}`);
  return [...new Set(faults)].sort();
}
