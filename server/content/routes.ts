import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { RenderContent } from './render-content.ts';
import * as schema from './schemas.ts';

interface MarkdownRoutes {
  readonly renderContent: RenderContent;
  readonly config: { readonly mediaUrl: string };
}

export const markdownEndpoints = ({ renderContent, config }: MarkdownRoutes): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/markdown',
    id: 'renderMarkdown',
    summary: 'Render Markdown as in a post, without storing it',
    scope: 'posts:write',
    body: schema.renderMarkdownBody,
    status: 200,
    response: schema.renderedMarkdown,
    handle: async ({ body, caller }) =>
      schema.presentMarkdown(await renderContent(body.content, caller.accountId), config.mediaUrl),
  }),
];
