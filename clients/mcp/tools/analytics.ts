import { z } from 'zod';
import type { AnalyticsOverview, PostViews } from '../../sdk/index.ts';
import type { McpServerSettings } from '../settings.ts';
import * as answers from './answers.ts';
import { optionsFor } from './options.ts';
import type { Registrar } from './register-tool.ts';
import * as schema from './schemas.ts';

const input = z.strictObject({
  period: z.enum(['7d', '30d', '90d']).default('30d'),
  slug: schema.slug.describe('Only this post; all of the blog if missing').optional(),
  blog: schema.blog,
});

/** The tool for views of a blog, or of one post. */
export function registerAnalyticsTool(register: Registrar, settings: McpServerSettings): void {
  const { analytics } = settings.platen;
  register(
    'get_analytics',
    {
      title: 'Get analytics',
      description: 'Gets the views of a blog or a post: by day, in total, and its most read posts.',
      input,
      output: answers.analytics,
      annotations: { readOnlyHint: true },
    },
    async ({ period, slug, blog }, call) => {
      const options = optionsFor(settings, blog, call);
      if (slug !== undefined) {
        const data = await analytics.post(slug, { period }, options);
        return { text: `"${data.title}": ${viewsText(data, period)}.`, data };
      }
      const data = await analytics.overview({ period }, options);
      const top = data.top_posts.map(({ title, views }) => `- ${title}: ${views}`);
      return { text: [`${viewsText(data, period)}.`, ...top].join('\n'), data };
    },
  );
}

function viewsText({ total_views, daily_views }: AnalyticsOverview | PostViews, period: string): string {
  const views = daily_views.reduce((sum, day) => sum + day.views, 0);
  return `${views} views in ${period}, ${total_views} in all`;
}
