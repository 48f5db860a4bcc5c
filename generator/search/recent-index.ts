/** `search/recent.json`: what the search page must know beside the base. */
export interface RecentIndex {
  /** Whether the base is to be searched too. */
  readonly base: boolean;
  /** Ids of posts that the base may still know, and that are not published any more. */
  readonly gone: readonly string[];
  /** Posts that the base does not know as they are. */
  readonly posts: readonly SearchedPost[];
}

/** A post as search finds and shows it. */
export interface SearchedPost {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** Labels. */
  readonly tags: readonly string[];
  readonly lang: string | null;
  readonly publishedAt: string;
  readonly text: string;
}
