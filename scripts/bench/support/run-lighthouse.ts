import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { npmFolder } from './npm.ts';

/** Last major version that runs on Node 20. */
const VERSION = '12.8.2';
const TIMEOUT_MS = 180_000;

/** Installs Lighthouse with its 200 packages; returns the path of its program. Throws if npm cannot install it. */
export const installLighthouse = (): string =>
  join(npmFolder(`lighthouse-${VERSION}`, [`lighthouse@${VERSION}`]), 'lighthouse', 'cli', 'index.js');

const score = z.number().nullable();
const category = z.object({
  score: z.number(),
  auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
});
const result = z.object({
  categories: z.object({
    performance: category,
    accessibility: category,
    'best-practices': category,
    seo: category,
  }),
  audits: z.record(z.string(), z.object({ title: z.string(), score, displayValue: z.string().optional() })),
});

export interface LighthouseResult {
  /** 0 to 100. */
  readonly scores: Readonly<Record<keyof z.infer<typeof result>['categories'], number>>;
  /** Audits below the full score. */
  readonly failedAudits: readonly string[];
}

/** Runs Lighthouse on a page in a new browser, as a phone on a slow connection. Rejects if it fails. */
export async function runLighthouse(
  url: string,
  { lighthouse, chromium }: { lighthouse: string; chromium: string },
): Promise<LighthouseResult> {
  const chromeFlags = '--headless=new --no-sandbox --disable-gpu --disable-background-networking';
  const options = [
    '--output',
    'json',
    '--quiet',
    '--no-enable-error-reporting',
    `--chrome-flags=${chromeFlags}`,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [lighthouse, url, ...options], {
    env: { ...process.env, CHROME_PATH: chromium },
    maxBuffer: 2 ** 26,
    timeout: TIMEOUT_MS,
  });
  const { categories, audits } = result.parse(JSON.parse(stdout));
  const counted = Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0),
  );
  const of100 = (name: keyof typeof categories) => Math.round(categories[name].score * 100);
  return {
    scores: {
      performance: of100('performance'),
      accessibility: of100('accessibility'),
      'best-practices': of100('best-practices'),
      seo: of100('seo'),
    },
    failedAudits: counted.flatMap(({ id }) => {
      const audit = audits[id];
      return audit && audit.score !== null && audit.score < 0.995 ? [`${id}: ${audit.title}`] : [];
    }),
  };
}
