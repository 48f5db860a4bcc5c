import { existsSync } from 'node:fs';

/** Where systems keep a Chromium, or a Chrome, which serves as well. */
const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of the browser that `PLATEN_CHROMIUM` names, or else of one that is found; null where there is none. */
export const findChromium = (otherPlaces: readonly string[] = []): string | null =>
  process.env.PLATEN_CHROMIUM || ([...usualPlaces, ...otherPlaces].find((path) => existsSync(path)) ?? null);
