/** The recent index, `search/recent.json`: what the search page needs besides the search index. */
export interface RecentIndex {
  /** Whether to search the search index too. */
  readonly base: boolean;
  /** Whether every post that the search index lacks is here with its whole text. */
  readonly complete: boolean;
  /** Ids of posts that are no longer published but may still be in the search index. */
  readonly gone: readonly string[];
  /** Posts that are missing or outdated in the search index. */
  readonly posts: readonly SearchedPost[];
}

/** A post as search indexes and shows it. */
export interface SearchedPost {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** Labels. */
  readonly tags: readonly string[];
  readonly lang: string | null;
  /** As its author states it; missing if not. */
  readonly language?: string;
  readonly publishedAt: string;
  readonly text: string;
}
