import { isDeepStrictEqual } from 'node:util';
import type { OwnerHtmlPool } from '../../generator/owner-html/pool.ts';
import { OwnerHtmlRefused } from '../../generator/owner-html/refused.ts';
import { OWNER_HTML_VERSION } from '../../generator/owner-html/version.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { refusing } from '../runtime/refusing.ts';
import * as store from './owner-html-store.ts';
import { type OwnerHtml, type OwnerHtmlKey, ownerHtmlKeys, type ThemePatch } from './theme.ts';

/**
 * The HTML that owners add to their pages, made whole when it is saved and in a thread that is ended if it takes too
 * long: the builder and previews only read what was made of it.
 */
export interface OwnerHtmls {
  /**
   * What is made of the HTML that a patch sets. Throws `bad_request` with the field for HTML that cannot be made whole
   * within the limits, and `rate_limit_exceeded` while too much of the account's is waiting.
   */
  make(accountId: string, patch: ThemePatch): Promise<OwnerHtml>;
  /**
   * Makes anew what an older version has made, blog after blog. HTML that is refused is left out of the pages, and
   * logged. Returns how many blogs changed.
   */
  renew(): Promise<number>;
  /** Lets a renewal end after the blog that it is at, and resolves when it has. */
  stop(): Promise<void>;
}

export interface OwnerHtmlDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly pool: OwnerHtmlPool;
  /** Called when a renewal has queued a rebuild. */
  readonly onChange: () => void;
}

export function createOwnerHtmls({ db, clock, log, pool, onChange }: OwnerHtmlDependencies): OwnerHtmls {
  let underWay: Promise<unknown> = Promise.resolve();
  let stopped = false;
  /** Blogs whose HTML could not be made whole for another reason than that it is refused. */
  const failed = new Set<string>();

  async function renewAll(): Promise<number> {
    let renewed = 0;
    let last = '';
    while (!stopped) {
      const outdated = await store.findOutdatedOwnerHtml(db, OWNER_HTML_VERSION, last);
      if (!outdated) break;
      last = outdated.blogId;
      if (!failed.has(last) && (await renewUnlessFailed(outdated))) renewed += 1;
    }
    return renewed;
  }

  /** One blog must not keep others from being renewed. It is tried again at the next start. */
  async function renewUnlessFailed(outdated: store.OutdatedOwnerHtml): Promise<boolean> {
    try {
      return await renewBlog(outdated);
    } catch (error) {
      failed.add(outdated.blogId);
      log.error({ blogId: outdated.blogId, err: error }, 'HTML of a blog’s owner could not be made whole');
      return false;
    }
  }

  async function renewBlog(outdated: store.OutdatedOwnerHtml): Promise<boolean> {
    const { blogId, themeConfig } = outdated;
    const made: Partial<Record<OwnerHtmlKey, string>> = {};
    for (const key of ownerHtmlKeys) {
      const whole = await wholeUnlessRefused(blogId, key, themeConfig[key] ?? '');
      if (whole !== '') made[key] = whole;
    }
    const isChanged = await inTransaction(db, async (tx) => {
      const before = await store.replaceOwnerHtml(tx, outdated, made, OWNER_HTML_VERSION);
      if (before === null || isDeepStrictEqual(before, made)) return false;
      await enqueueChange(tx, blogId, { scope: 'blog' }, clock.now(), { isUpgrade: true });
      return true;
    });
    if (isChanged) onChange();
    return isChanged;
  }

  async function wholeUnlessRefused(blogId: string, key: OwnerHtmlKey, html: string): Promise<string> {
    if (html === '') return '';
    try {
      return await pool.makeWhole(html, 'background');
    } catch (error) {
      if (!(error instanceof OwnerHtmlRefused)) throw error;
      log.warn({ blogId, key, reason: error.message }, 'HTML of a blog’s owner is left out of its pages');
      return '';
    }
  }

  return {
    async make(accountId, patch) {
      const made: Partial<Record<OwnerHtmlKey, string>> = {};
      for (const key of ownerHtmlKeys) {
        const html = patch[key];
        if (!html) continue;
        made[key] = await refusing(`theme_config.${key}`, () => pool.makeWhole(html, { owner: accountId }));
      }
      return made;
    },
    renew() {
      const renewal = underWay.then(renewAll);
      underWay = renewal.catch(() => {});
      return renewal;
    },
    async stop() {
      stopped = true;
      await underWay;
    },
  };
}
