import type { AnalyticsOverview } from '../../sdk/index.ts';
import { printJson } from '../answers/answers.ts';
import { command, optional } from '../command-line/command.ts';
import type { Context } from '../command-line/context.ts';
import { choice } from '../command-line/flags.ts';
import { fieldLines, table } from '../terminal/table.ts';

export const analytics = command({
  args: { slug: optional('slug of a post; otherwise the whole blog') },
  flags: { period: choice(['7d', '30d', '90d'], 'days', 'what the days cover') },
  examples: ['analytics', 'analytics hello-world --period 7d', 'analytics --json | jq .total_views'],
  async run(context, { slug }, { period }) {
    const { terminal, signal, common } = context;
    const platen = await context.platen();
    if (slug === undefined) {
      const found = await platen.analytics.overview({ period }, { signal });
      if (common.json) return printJson(context, found);
      terminal.print(views(terminal, found.total_views, found.total_views_7d, found.total_views_30d));
      showDays(context, found.daily_views);
      showTop(context, found.top_posts);
      return;
    }
    const found = await platen.analytics.post(slug, { period }, { signal });
    if (common.json) return printJson(context, found);
    terminal.print(views(terminal, found.total_views, found.views_7d, found.views_30d));
    showDays(context, found.daily_views);
  },
});

const views = (terminal: Context['terminal'], total: number, week: number, month: number): string =>
  fieldLines(terminal, { views: total, '7 days': week, '30 days': month });

/** Days without a view are left out. */
function showDays({ terminal }: Context, days: AnalyticsOverview['daily_views']): void {
  const seen = days.filter(({ views }) => views > 0);
  if (seen.length === 0) {
    terminal.tell('No views in this time.\n');
    return;
  }
  const most = Math.max(...seen.map(({ views }) => views));
  const bar = (views: number) => '▇'.repeat(Math.max(1, Math.round((views / most) * 30)));
  const look = [
    { name: 'day', value: ({ date }: (typeof seen)[number]) => date },
    { name: 'views', value: ({ views }: (typeof seen)[number]) => views, isNumber: true },
    { name: 'visitors', value: ({ visitors }: (typeof seen)[number]) => visitors, isNumber: true },
  ];
  const bars = { name: '', value: ({ views }: (typeof seen)[number]) => bar(views) };
  terminal.print(`\n${table(terminal, terminal.columns === null ? look : [...look, bars], seen)}`);
}

function showTop({ terminal }: Context, posts: AnalyticsOverview['top_posts']): void {
  if (posts.length === 0) return;
  const look = [
    { name: 'post', value: ({ slug }: (typeof posts)[number]) => slug },
    { name: 'title', value: ({ title }: (typeof posts)[number]) => title },
    { name: 'views', value: ({ views }: (typeof posts)[number]) => views, isNumber: true },
  ];
  terminal.print(`\n${table(terminal, look, posts)}`);
}
