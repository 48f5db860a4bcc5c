import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../scripts/bench/chromium.ts';

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

/** Starts the browser that `PLATEN_CHROMIUM` names, or else one that is found, or else one that is installed now. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = find() ?? installChromium();
  const browser = await chromium.launch({ executablePath, args: switches, timeout: PATIENCE_MS });
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS));
  return browser;
}

const find = (): string | null => findChromium([chromium.executablePath()]);

function installChromium(): string {
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    attempt('apt-get', 'update');
    // Another test file may be installing, too.
    attempt(
      'apt-get',
      'install',
      '--yes',
      '--no-install-recommends',
      '-o',
      'DPkg::Lock::Timeout=300',
      'chromium',
    );
  }
  if (find() === null) attempt('npx', 'playwright-core', 'install', 'chromium');
  const found = find();
  if (found !== null) return found;
  throw new Error('there is no browser to test with: install Chromium, or name one in PLATEN_CHROMIUM');
}

/** What counts is whether there is a browser afterwards. */
function attempt(command: string, ...args: readonly string[]): void {
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync(command, args, { env, stdio: 'ignore', timeout: 600_000 });
  } catch {}
}
