import type { Blogs } from '../blogs/blogs.ts';
import { selectBlog } from '../blogs/select-blog.ts';
import type { BlogUrl, Config } from '../config/config.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { presentPagination } from '../wire/pagination.ts';
import * as schema from './schemas.ts';
import type { Search } from './search.ts';

/** The interface's "Discover" limit. */
const DISCOVER_PER_HOUR = 120;

interface SearchRoutes {
  readonly config: Pick<Config, 'tiers'>;
  readonly search: Search;
  readonly blogs: Blogs;
  readonly blogUrl: BlogUrl;
}

export function searchEndpoints({ config, search, blogs, blogUrl }: SearchRoutes): Endpoint[] {
  return [
    endpoint({
      method: 'get',
      path: '/search',
      id: 'searchPosts',
      summary: 'Search the published posts of a blog',
      selectsBlog: true,
      scope: 'search:read',
      query: schema.searchQuery,
      status: 200,
      response: schema.foundPage,
      async handle(call) {
        const { per_page, ...query } = call.query;
        const blog = await selectBlog(blogs, call);
        const found = await search.inBlog(blog, { ...query, perPage: per_page });
        return {
          data: found.posts.map(schema.presentFoundPost),
          pagination: presentPagination(call.query, found.total),
        };
      },
    }),
    endpoint({
      method: 'get',
      path: '/discover',
      id: 'discoverPosts',
      summary: 'Search the published posts of all blogs',
      tag: 'search',
      scope: null,
      hourlyLimitPerAddress: DISCOVER_PER_HOUR,
      query: schema.discoverQuery,
      status: 200,
      response: schema.discoveredPage,
      async handle(call) {
        const { per_page, ...query } = call.query;
        const found = await search.everywhere({ ...query, perPage: per_page });
        return {
          data: found.posts.map((post) =>
            schema.presentDiscoveredPost(post, blogUrl(post.blog), config.tiers),
          ),
          pagination: presentPagination(call.query, found.total),
        };
      },
    }),
  ];
}
