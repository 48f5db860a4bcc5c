import { existsSync } from 'node:fs';

/** Usual paths of Chromium, or of Chrome, which works as well. */
const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of the browser: `PLATEN_CHROMIUM`, else one at a preferred or usual path; null if there is none. */
export const findChromium = (preferredPaths: readonly string[] = []): string | null =>
  process.env.PLATEN_CHROMIUM ||
  ([...preferredPaths, ...usualPaths].find((path) => existsSync(path)) ?? null);
