import { z } from 'zod';
import type { BlogViews, PostViews, Views } from './views.ts';

export const analyticsQuery = z.object({
  period: z
    .enum(['7d', '30d', '90d'])
    .default('30d')
    .transform((period) => Number.parseInt(period, 10))
    .meta({ default: '30d', description: 'The days that `daily_views` and `top_posts` cover.' }),
});

const count = z.int().min(0).meta({ example: 12 });
const slug = z.string().meta({ example: 'hello-world' });
const title = z.string().meta({ example: 'Hello, world' });

const dailyViews = z.array(z.object({ date: z.iso.date(), views: count, visitors: count }));

/** Combines both forms that the interface shows. */
export const overview = z
  .object({
    total_views: count,
    total_views_7d: count,
    total_views_30d: count,
    daily_views: dailyViews,
    top_posts: z.array(z.object({ slug, title, views: count })),
  })
  .meta({ id: 'AnalyticsOverview' });

export const postViews = z
  .object({
    slug,
    title,
    total_views: count,
    views_7d: count,
    views_30d: count,
    daily_views: dailyViews,
  })
  .meta({ id: 'PostViews' });

export const presentOverview = (views: BlogViews): z.infer<typeof overview> => ({
  total_views: views.total,
  total_views_7d: views.last7Days,
  total_views_30d: views.last30Days,
  daily_views: presentDaily(views),
  top_posts: [...views.topPosts],
});

export const presentPostViews = (views: PostViews): z.infer<typeof postViews> => ({
  slug: views.slug,
  title: views.title,
  total_views: views.total,
  views_7d: views.last7Days,
  views_30d: views.last30Days,
  daily_views: presentDaily(views),
});

const presentDaily = ({ daily }: Views): z.infer<typeof dailyViews> =>
  daily.map(({ day, views, visitors }) => ({ date: day, views, visitors }));
