import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../scripts/tools/chromium.ts';

/** The browser reaches this machine only, and resolves every name below `localhost` to it. */
const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP *.localhost 127.0.0.1',
];

/** Slightly less than a test's timeout, so that the failure names what was awaited. */
const PATIENCE_MS = 100_000;

const MISSING =
  'there is no browser to test with: install Chromium (`npx playwright-core install chromium`), or name one in PLATEN_CHROMIUM';

/** Starts the browser named by `PLATEN_CHROMIUM`, or else one that is found. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === null) throw new Error(MISSING);
  const browser = await chromium.launch({ executablePath, args: switches, timeout: PATIENCE_MS });
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS));
  return browser;
}

/** Chromium without the parts that only a window needs: the suites take about a third of the time with it. */
const headlessShell = '/usr/bin/chromium-headless-shell';

/** Path of the browser; null if there is none. */
export const findBrowser = (): string | null => findChromium([headlessShell, chromium.executablePath()]);
