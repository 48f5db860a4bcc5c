#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Platen } from '../sdk/index.ts';
import { rememberedBlog } from './active-blog.ts';
import { createMcpServer } from './create-server.ts';
import { readImageFile } from './read-image.ts';
import { VERSION } from './version.ts';

const usage = `Platen for AI agents: an MCP server over standard input and output.

  platen-mcp [--blog <slug or id>]

  --blog      the blog that tools act on until set_active_blog chooses another
  --version   prints the version

  PLATEN_API_KEY   an API key or token
  PLATEN_API_URL   address of the server (http://localhost:8080)
`;

/** Clients give up on a tool after sixty seconds. */
const TOTAL_TIMEOUT_MS = 45_000;

try {
  const { values } = parseArgs({
    options: {
      blog: { type: 'string' },
      version: { type: 'boolean', short: 'v' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) process.stdout.write(usage);
  else if (values.version) process.stdout.write(`${VERSION}\n`);
  else serve(values.blog);
} catch (error) {
  process.stderr.write(`platen-mcp: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}

/** Serves until the client closes the standard input. If the key is missing, each tool says so, where the agent sees it. */
function serve(blog: string | undefined): void {
  const settings = {
    platen: new Platen({ totalTimeout: TOTAL_TIMEOUT_MS, timeout: TOTAL_TIMEOUT_MS }),
    activeBlog: rememberedBlog(blog),
    readImage: readImageFile,
  };
  serveStdio(() => createMcpServer(settings), {
    onerror: (error) => process.stderr.write(`platen-mcp: ${error.message}\n`),
  });
}
