import type { SearchTerm } from '../../generator/search/words.ts';
import type { TierName } from '../tiers/tier.ts';

/**
 * Full-text search over published posts. The index has a post's blog and tags too, as keys: words that no text can
 * hold, because they begin with a private character. So the index itself narrows a search to a blog or a tag.
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
