import { McpServer } from '@modelcontextprotocol/server';
import { completionsOf } from './completions.ts';
import { registerPrompts } from './prompts.ts';
import { registerResources } from './resources.ts';
import type { McpServerSettings } from './settings.ts';
import { registerAnalyticsTool } from './tools/analytics.ts';
import { registerBlogTools } from './tools/blogs.ts';
import { registerImageTools } from './tools/images.ts';
import { registerPostTools } from './tools/posts.ts';
import { registerPublicationTools } from './tools/publication.ts';
import { registerReadingTools } from './tools/reading.ts';
import { registerRedirectTools } from './tools/redirects.ts';
import { registrarFor } from './tools/register-tool.ts';
import { VERSION } from './version.ts';

const instructions = `Platen publishes blogs from Markdown. create_post publishes at once unless status is "draft".
Posts are named by slug. Every tool but discover_posts and those for blogs takes an optional blog (slug or id); without
it, the active blog is used. The resource platen://markdown says what Markdown can do here, platen://style/{blog} how a
blog writes.
Pictures: upload_image first, then put the address it returns into the post.`;

/** A server with all tools, resources and prompts, for one transport. */
export function createMcpServer(settings: McpServerSettings): McpServer {
  const server = new McpServer(
    { name: 'platen', title: 'Platen', version: VERSION },
    {
      instructions,
      // Nothing that is listed changes while a server runs, so there is nothing to notify clients of.
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
      cacheHints: {
        'tools/list': forAnHour,
        'prompts/list': forAnHour,
        'resources/templates/list': forAnHour,
      },
    },
  );
  const register = registrarFor(server);
  registerPostTools(register, settings);
  registerPublicationTools(register, settings);
  registerReadingTools(register, settings);
  registerAnalyticsTool(register, settings);
  registerBlogTools(register, settings);
  registerImageTools(register, settings);
  registerRedirectTools(register, settings);
  const completions = completionsOf(settings);
  registerResources(server, settings, completions);
  registerPrompts(server, settings, completions);
  return server;
}

/** The same for every key. */
const forAnHour = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
