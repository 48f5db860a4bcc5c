export { fixedBlog } from './active-blog.ts';
export { createMcpServer } from './create-server.ts';
export type { McpServerSettings } from './settings.ts';
