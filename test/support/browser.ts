import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../scripts/bench/support/chromium.ts';

/** It speaks to this machine alone, and leads every name below `localhost` to it. */
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

/** A little less than a test has, so that what was waited for is told. */
const PATIENCE_MS = 100_000;

const MISSING =
  'there is no browser to test with: install Chromium (`npx playwright-core install chromium`), or name one in PLATEN_CHROMIUM';

/** Starts the browser that `PLATEN_CHROMIUM` names, or else one that is found. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === null) throw new Error(MISSING);
  const browser = await chromium.launch({ executablePath, args: switches, timeout: PATIENCE_MS });
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS));
  return browser;
}

/** Path of the browser; null where there is none. */
export const findBrowser = (): string | null => findChromium([chromium.executablePath()]);
