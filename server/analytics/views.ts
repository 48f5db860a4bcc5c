/** View counts: all time, recent, and each day of a period, oldest first. The last day is today (UTC). */
export interface Views {
  readonly total: number;
  readonly last7Days: number;
  readonly last30Days: number;
  readonly daily: readonly DailyViewCount[];
}

/** Views in a period, and the number of different people they came from. */
export interface ViewCount {
  readonly views: number;
  readonly visitors: number;
}

/** Days are `2026-11-20`, in UTC. */
export interface DailyViewCount extends ViewCount {
  readonly day: string;
}

export interface TopPost {
  readonly slug: string;
  readonly title: string;
  readonly views: number;
}

export interface BlogViews extends Views {
  readonly topPosts: readonly TopPost[];
}

export interface PostViews extends Views {
  readonly slug: string;
  readonly title: string;
}
