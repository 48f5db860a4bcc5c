import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { npmFolder } from './bench/support/npm.ts';
import { withScratch } from './bench/support/scratch.ts';
import { freePort, startServer } from './bench/support/server.ts';

/**
 * Runs the official conformance suite of MCP, for both versions, against `/mcp` of a temporary server, and the
 * inspector's CLI over both transports. Fails for a scenario that fails and is not in its baseline. The tools come from
 * npm into the user's cache at the first run: with the newer Node that two of them need, they have 370 MB.
 */
const key = `pk_live_${'0123456789abcdef'.repeat(3)}`;
const root = join(dirname(createRequire(import.meta.url).resolve('#dist/server/main.js')), '../..');

/** The inspector needs no keychain for a key that is gone with its server. */
const inMemory = { MCP_INSPECTOR_SECRET_STORE: 'memory' };

interface Run {
  readonly name: string;
  readonly node: string;
  readonly args: readonly string[];
}

await withScratch(async (scratch) => {
  const port = await freePort();
  // The suite sends the origin of the address that it is given, so that has to be the server's own.
  const publicUrl = `http://localhost:${port}`;
  const settings = { PLATEN_PUBLIC_URL: publicUrl, PLATEN_API_KEY: key };
  const { origin } = await startServer(scratch, scratch.folder('data'), settings);
  const proxy = await proxyWithKey(port, origin);
  for (const run of [...conformanceRuns(`${publicUrl}/mcp`), ...inspectorRuns(origin)]) {
    console.log(`\n## ${run.name}\n`);
    const child = spawn(run.node, run.args, { stdio: 'inherit', env: { ...process.env, ...inMemory } });
    const [code] = await once(child, 'close');
    if (code === 0) continue;
    console.error(`${run.name} failed`);
    process.exitCode = 1;
  }
  proxy.close();
});

/** The suite for 2026-07-28 uses functions of a newer Node. */
function conformanceRuns(url: string): Run[] {
  const program = (version: string) => installed(`conformance@${version}`, 'dist/index.js');
  const options = (version: string) => [
    ...['--url', url],
    ...['--expected-failures', join(root, `test/conformance/mcp-${version}.yml`)],
  ];
  return [
    {
      name: 'Conformance with 2025-11-25',
      node: process.execPath,
      args: [program('0.1.13'), 'server', ...options('2025-11-25')],
    },
    {
      name: 'Conformance with 2026-07-28',
      node: newerNode(),
      args: [program('0.2.0-alpha.11'), 'server', '--requirements', '2026-07-28', ...options('2026-07-28')],
    },
  ];
}

function inspectorRuns(origin: string): Run[] {
  const program = installed('inspector@2.9.0', 'clients/launcher/build/index.js');
  const run = (name: string, ...args: string[]) => ({
    name,
    node: newerNode(),
    args: [program, '--cli', ...args],
  });
  const server = join(root, 'dist/clients/mcp/main.js');
  const environment = ['-e', `PLATEN_API_KEY=${key}`, '-e', `PLATEN_API_URL=${origin}`];
  return [
    run(
      'Inspector over HTTP',
      ...[`${origin}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`],
      ...['--method', 'tools/list', '--strict'],
    ),
    run(
      'Inspector over stdio',
      ...[process.execPath, server, ...environment],
      ...['--method', 'tools/call', '--tool-name', 'list_posts'],
    ),
  ];
}

function installed(program: string, file: string): string {
  const folder = npmFolder(`mcp-${program}`, [`@modelcontextprotocol/${program}`]);
  return join(folder, '@modelcontextprotocol', program.replace(/@.*/, ''), file);
}

function newerNode(): string {
  return join(npmFolder('node-22', ['node@22'], { allowScripts: true }), 'node/bin/node');
}

/** Passes requests on with the key, because the suite sends none. */
async function proxyWithKey(port: number, origin: string): Promise<Server> {
  const proxy = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${key}` };
    const passed = request(`${origin}/mcp`, { method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    req.pipe(passed.on('error', () => res.destroy()));
  }).listen(port, 'localhost');
  await once(proxy, 'listening');
  return proxy;
}
