import * as schema from '../../schemas/markdown.ts';
import type { RenderContent } from '../../services/content.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';

export const markdownEndpoints = ({
  renderContent,
}: {
  readonly renderContent: RenderContent;
}): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/markdown',
    id: 'renderMarkdown',
    summary: 'Render Markdown as a post would be, without keeping it',
    scope: 'posts:write',
    body: schema.renderMarkdownBody,
    status: 200,
    response: schema.renderedMarkdown,
    handle: async ({ body, caller }) =>
      schema.presentMarkdown(await renderContent(body.content, { owner: caller.accountId })),
  }),
];
