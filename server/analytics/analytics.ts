import type { Caller } from '../access/caller.ts';
import type { Blog } from '../blogs/blog.ts';
import type { Db } from '../database/database.ts';
import { findPost } from '../posts/post-writes.ts';
import type { Clock } from '../runtime/clock.ts';
import { addMilliseconds } from '../runtime/clock.ts';
import { assertIncludes } from '../tiers/feature.ts';
import * as store from './store.ts';
import type { BlogViews, DailyViewCount, PostViews, Views } from './views.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const TOP_POSTS = 10;

/** View statistics of a blog. Both methods throw `forbidden` if the tier does not include analytics. */
export interface Analytics {
  overview(caller: Caller, blog: Blog, days: number): Promise<BlogViews>;
  /** Throws `not_found` for an unknown slug. */
  post(caller: Caller, blog: Blog, slug: string, days: number): Promise<PostViews>;
}

export interface AnalyticsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly upgradeUrl: string;
}

export function createAnalytics({ db, clock, upgradeUrl }: AnalyticsDependencies): Analytics {
  /** The first day of a period that ends today. */
  const firstOf = (days: number): string => dayOf(addMilliseconds(clock.now(), -(days - 1) * DAY_MS));

  async function viewsOf(blogId: string, counted: string, days: number): Promise<Views> {
    const since = firstOf(days);
    return {
      total: await store.countViews(db, blogId, counted),
      last7Days: await store.countViews(db, blogId, counted, firstOf(7)),
      last30Days: await store.countViews(db, blogId, counted, firstOf(30)),
      daily: everyDay(since, days, await store.dailyViews(db, blogId, counted, since)),
    };
  }

  return {
    async overview({ tier }, blog, days) {
      assertIncludes(tier, 'analytics', upgradeUrl);
      return {
        ...(await viewsOf(blog.id, store.ALL_PAGES, days)),
        topPosts: await store.topPosts(db, blog.id, firstOf(days), TOP_POSTS),
      };
    },

    async post({ tier }, blog, slug, days) {
      assertIncludes(tier, 'analytics', upgradeUrl);
      const { id, title } = await findPost(db, blog.id, slug);
      return { slug, title, ...(await viewsOf(blog.id, id, days)) };
    },
  };
}

const dayOf = (moment: string): string => moment.slice(0, 10);

/** One entry for each day: a day without views has zeros. */
function everyDay(first: string, days: number, counted: readonly DailyViewCount[]): DailyViewCount[] {
  const byDay = new Map(counted.map((tally) => [tally.day, tally]));
  return Array.from({ length: days }, (_, n) => {
    const day = dayOf(addMilliseconds(first, n * DAY_MS));
    return byDay.get(day) ?? { day, views: 0, visitors: 0 };
  });
}
