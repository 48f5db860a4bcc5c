import { isDeepStrictEqual } from 'node:util';
import type { OwnerHtmlPool } from '../../generator/owner-html/pool.ts';
import { OwnerHtmlRefused } from '../../generator/owner-html/refused.ts';
import { OWNER_HTML_VERSION } from '../../generator/owner-html/version.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { translateRefusals } from '../runtime/refusals.ts';
import * as store from './owner-html-store.ts';
import { type OwnerHtml, type OwnerHtmlKey, ownerHtmlKeys, type ThemePatch } from './theme.ts';

/**
 * The HTML that owners add to their pages. It is balanced (every open element closed) when it is saved, in a thread
 * with a time limit. The builder only reads the result.
 */
export interface OwnerHtmls {
  /**
   * Balances the HTML that a patch sets. Throws `bad_request` with the field's name for HTML that cannot be balanced
   * within the limits, and `rate_limit_exceeded` while too much HTML of the account is queued.
   */
  balance(accountId: string, patch: ThemePatch): Promise<OwnerHtml>;
  /**
   * Balances again the HTML that an older version balanced, one blog at a time. Refused HTML is left out of the pages
   * and logged. Returns the number of blogs that changed.
   */
  renew(): Promise<number>;
  /** Stops a renewal after its current blog, and resolves when it has stopped. */
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
  let currentRenewal: Promise<unknown> = Promise.resolve();
  let stopped = false;
  /** Blogs whose HTML could not be balanced for a reason other than a refusal. */
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

  /** A failing blog must not keep others from being renewed. The next start retries it. */
  async function renewUnlessFailed(outdated: store.OutdatedOwnerHtml): Promise<boolean> {
    try {
      return await renewBlog(outdated);
    } catch (error) {
      failed.add(outdated.blogId);
      log.error({ blogId: outdated.blogId, err: error }, 'could not balance the owner HTML of a blog');
      return false;
    }
  }

  async function renewBlog(outdated: store.OutdatedOwnerHtml): Promise<boolean> {
    const { blogId, themeConfig } = outdated;
    const balancedByKey: Partial<Record<OwnerHtmlKey, string>> = {};
    for (const key of ownerHtmlKeys) {
      const balanced = await balanceUnlessRefused(blogId, key, themeConfig[key] ?? '');
      if (balanced !== '') balancedByKey[key] = balanced;
    }
    const isChanged = await inTransaction(db, async (tx) => {
      const before = await store.replaceOwnerHtml(tx, outdated, balancedByKey, OWNER_HTML_VERSION);
      if (before === null || isDeepStrictEqual(before, balancedByKey)) return false;
      await enqueueChange(tx, blogId, { scope: 'blog' }, clock.now(), { isUpgrade: true });
      return true;
    });
    if (isChanged) onChange();
    return isChanged;
  }

  async function balanceUnlessRefused(blogId: string, key: OwnerHtmlKey, html: string): Promise<string> {
    if (html === '') return '';
    try {
      return await pool.closeElements(html, 'background');
    } catch (error) {
      if (!(error instanceof OwnerHtmlRefused)) throw error;
      log.warn(
        { blogId, key, reason: error.message },
        'the owner HTML of a blog is invalid and left out of its pages',
      );
      return '';
    }
  }

  return {
    async balance(accountId, patch) {
      const balancedByKey: Partial<Record<OwnerHtmlKey, string>> = {};
      for (const key of ownerHtmlKeys) {
        const html = patch[key];
        if (!html) continue;
        balancedByKey[key] = await translateRefusals(`theme_config.${key}`, () =>
          pool.closeElements(html, { owner: accountId }),
        );
      }
      return balancedByKey;
    },
    renew() {
      const renewal = currentRenewal.then(renewAll);
      currentRenewal = renewal.catch(() => {});
      return renewal;
    },
    async stop() {
      stopped = true;
      await currentRenewal;
    },
  };
}
