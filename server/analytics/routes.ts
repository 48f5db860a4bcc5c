import type { Blogs } from '../blogs/blogs.ts';
import { selectBlog } from '../blogs/select-blog.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { Analytics } from './analytics.ts';
import * as schema from './schemas.ts';

interface AnalyticsRoutes {
  readonly analytics: Analytics;
  readonly blogs: Blogs;
}

export const analyticsEndpoints = ({ analytics, blogs }: AnalyticsRoutes): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/analytics/overview',
    id: 'getAnalytics',
    summary: 'Get the daily views of a blog and its most read posts',
    description: 'Starter plan and above. Days are in UTC.',
    selectsBlog: true,
    scope: 'analytics:read',
    query: schema.analyticsQuery,
    status: 200,
    response: schema.overview,
    async handle(call) {
      const blog = await selectBlog(blogs, call);
      return schema.presentOverview(await analytics.overview(call.caller, blog, call.query.period));
    },
  }),
  endpoint({
    method: 'get',
    path: '/analytics/posts/:slug',
    id: 'getPostAnalytics',
    summary: 'Get the daily views of a post',
    description: 'Starter plan and above. Days are in UTC.',
    selectsBlog: true,
    scope: 'analytics:read',
    query: schema.analyticsQuery,
    status: 200,
    response: schema.postViews,
    async handle(call) {
      const { caller, params, query } = call;
      const blog = await selectBlog(blogs, call);
      return schema.presentPostViews(await analytics.post(caller, blog, params.slug ?? '', query.period));
    },
  }),
];
