import { searchedTerms } from '../../generator/search/words.ts';
import type { Blog } from '../blogs/blog.ts';
import { findTakenDownBlogs } from '../blogs/store.ts';
import type { Db } from '../database/database.ts';
import type { FoundPost } from './found-post.ts';
import { searchPosts } from './store.ts';

export interface SearchRequest {
  /** Plain words, without query syntax. */
  readonly q: string;
  readonly page: number;
  readonly perPage: number;
}

export interface SearchResults {
  readonly posts: readonly FoundPost[];
  /** Number of results on all pages. */
  readonly total: number;
}

/** Searches published posts, best match first. Weights fall from title to description, headings and tags. */
export interface Search {
  inBlog(blog: Blog, request: SearchRequest): Promise<SearchResults>;
  /** Searches all blogs that are not taken down. With `tag`, only posts that have it. */
  everywhere(request: SearchRequest & { readonly tag?: string | undefined }): Promise<SearchResults>;
}

export const createSearch = ({ db }: { readonly db: Db }): Search => ({
  inBlog: (blog, { q, ...page }) => searchPosts(db, { ...page, terms: searchedTerms(q), blogId: blog.id }),
  everywhere: async ({ q, ...rest }) =>
    searchPosts(db, { ...rest, terms: searchedTerms(q), exceptBlogs: await findTakenDownBlogs(db) }),
});
