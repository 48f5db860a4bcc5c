#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { serveOverStdio } from './serve-stdio.ts';
import { VERSION } from './version.ts';

const usage = `Platen for AI agents: an MCP server over standard input and output.

  platen-mcp [--blog <slug or id>]

  --blog      the blog that tools act on until set_active_blog chooses another
  --version   prints the version

  PLATEN_API_KEY   an API key or token
  PLATEN_API_URL   address of the server (http://localhost:8080)
`;

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
  else {
    const onError = (error: Error) => void process.stderr.write(`platen-mcp: ${error.message}\n`);
    await serveOverStdio({ blog: values.blog, onError });
  }
} catch (error) {
  process.stderr.write(`platen-mcp: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
