import type { SearchTerm } from '../../generator/search/words.ts';
import type { TierName } from '../tiers/tier.ts';

/**
 * Full-text search over published posts: `search_words` is an FTS5 index without texts, `search_rows` gives its row
 * numbers to posts. A blog and the tags of a post stand in the index too, as words that no text can hold (they begin
 * with a private character), so that the index itself narrows a search to a blog or a tag.
 */

/** Every term must be found; none of them finds nothing. */
export interface SearchQuery {
  readonly terms: readonly SearchTerm[];
  readonly blogId?: string | undefined;
  /** Blogs of which nothing is found. */
  readonly exceptBlogs?: readonly string[] | undefined;
  /** Label of a tag. */
  readonly tag?: string | undefined;
  readonly page: number;
  readonly perPage: number;
}

export interface FoundPost {
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly tags: readonly string[];
  readonly createdAt: string;
  readonly blog: {
    readonly slug: string;
    readonly name: string;
    /** Its own domain, where the DNS of one leads to it. */
    readonly domain: string | null;
    readonly tier: TierName;
  };
}
