import { isDeepStrictEqual } from 'node:util';
import type { OwnerHtmlPool } from '../../../generator/owner-html/pool.ts';
import { OwnerHtmlRefused } from '../../../generator/owner-html/refused.ts';
import { OWNER_HTML_VERSION } from '../../../generator/owner-html/version.ts';
import type { Db } from '../../database/database.ts';
import { enqueueChange } from '../../rebuilds/store.ts';
import type { Writer } from '../../rebuilds/write.ts';
import type { Log } from '../../runtime/log.ts';
import { translateRefusals } from '../../runtime/refusals.ts';
import { createRenewal, type Renewal } from '../../runtime/renewal.ts';
import * as store from './owner-html-store.ts';
import { type OwnerHtml, type OwnerHtmlKey, ownerHtmlKeys, type ThemePatch } from './theme.ts';

/**
 * The HTML that owners add to their pages. It is balanced (every open element closed) when it is saved, in a thread
 * with a time limit. The builder only reads the result.
 *
 * A renewal balances again the HTML that an older version balanced. Refused HTML is left out of the pages and logged.
 */
export interface OwnerHtmls extends Renewal {
  /**
   * Balances the HTML that a patch sets. Throws `bad_request` with the field's name for HTML that cannot be balanced
   * within the limits, and `rate_limit_exceeded` while too much HTML of the account is queued.
   */
  balance(accountId: string, patch: ThemePatch): Promise<OwnerHtml>;
}

export interface OwnerHtmlDependencies {
  readonly db: Db;
  readonly log: Log;
  readonly pool: OwnerHtmlPool;
  readonly write: Writer;
}

export function createOwnerHtmls({ db, log, pool, write }: OwnerHtmlDependencies): OwnerHtmls {
  /** Blogs whose HTML could not be balanced for a reason other than a refusal. */
  const failed = new Set<string>();

  /** A failing blog must not keep others from being renewed. The next start retries it. */
  async function renewUnlessFailed(outdated: store.OutdatedOwnerHtml): Promise<boolean> {
    if (failed.has(outdated.blogId)) return false;
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
    const { rebuildId } = await write(async (tx, now) => {
      const before = await store.replaceOwnerHtml(tx, outdated, balancedByKey, OWNER_HTML_VERSION);
      if (before === null || isDeepStrictEqual(before, balancedByKey)) return { rebuildId: null };
      return { rebuildId: await enqueueChange(tx, blogId, { scope: 'blog' }, now, { isUpgrade: true }) };
    });
    return rebuildId !== null;
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
    ...createRenewal(() => outdatedBlogs(db), renewUnlessFailed),
  };
}

async function* outdatedBlogs(db: Db): AsyncGenerator<store.OutdatedOwnerHtml> {
  let last: store.OutdatedOwnerHtml | null = null;
  do {
    last = await store.findOutdatedOwnerHtml(db, OWNER_HTML_VERSION, last?.blogId ?? '');
    if (last) yield last;
  } while (last);
}
