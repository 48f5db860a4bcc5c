import { searchedTerms } from '../../generator/search/words.ts';
import type { Blog } from '../blogs/blog.ts';
import { findTakenDownBlogs } from '../blogs/store.ts';
import type { Db } from '../database/database.ts';
import type { FoundPost } from './found-post.ts';
import { searchPosts } from './store.ts';

export interface SearchRequest {
  /** Plain words: nothing in it is syntax. */
  readonly q: string;
  readonly page: number;
  readonly perPage: number;
}

export interface Found {
  readonly posts: readonly FoundPost[];
  /** How many there are on all pages. */
  readonly total: number;
}

/** Search over published posts, best first: a title counts more than a description, headings and tags. */
export interface Search {
  inBlog(blog: Blog, request: SearchRequest): Promise<Found>;
  /** Searches all blogs that are not taken down, and where a tag is given only the posts that have it. */
  everywhere(request: SearchRequest & { readonly tag?: string | undefined }): Promise<Found>;
}

export const createSearch = ({ db }: { readonly db: Db }): Search => ({
  inBlog: (blog, { q, ...page }) => searchPosts(db, { ...page, terms: searchedTerms(q), blogId: blog.id }),
  everywhere: async ({ q, ...rest }) =>
    searchPosts(db, { ...rest, terms: searchedTerms(q), exceptBlogs: await findTakenDownBlogs(db) }),
});
