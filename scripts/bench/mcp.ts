import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { seed } from './seed/seed.ts';
import { runBenchmark } from './support/benchmark.ts';
import { startServer } from './support/server.ts';
import { median } from './support/statistics.ts';
import { figure, ratio, table } from './support/table.ts';

const usage = `A call of an MCP tool, over HTTP in both versions of the protocol and over stdio, beside the bare request of the API.

  node dist/scripts/bench/mcp.js [--samples 500]

  --samples <n>   measured calls of each kind, in turns
`;

const WARM_UP = 100;
const versions = ['2025-11-25', '2026-07-28'] as const;

/** A tool, and the request of the API that it makes. */
interface Pair {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly path: string;
}

await runBenchmark(usage, { samples: '500' }, async (scratch, { samples }) => {
  const dataDir = scratch.folder('mcp');
  const { key, blogs } = await seed(dataDir, [100]);
  const { origin } = await startServer(scratch, dataDir);
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const bare = async (path: string) => read(await fetch(`${origin}/v1${path}`, { headers }));
  const slug = slugIn(await bare('/posts?per_page=1'));
  const pairs: Pair[] = [
    { tool: 'list_posts', args: {}, path: '/posts?page=1&per_page=20' },
    { tool: 'get_post', args: { slug }, path: `/posts/${slug}` },
  ];
  const stdio = await openStdio(key, origin);
  const rows: string[][] = [];
  try {
    for (const pair of pairs) {
      const kinds = [
        ['bare request', () => bare(pair.path)],
        ...versions.map(
          (version) => [`HTTP, ${version}`, () => callOverHttp(origin, headers, version, pair)] as const,
        ),
        ['stdio', () => stdio.call(pair)],
      ] as const;
      rows.push(...rowsOf(pair.tool, await timesOf(kinds, samples)));
    }
  } finally {
    stdio.close();
  }
  const [blog] = blogs;
  return [
    `### Calls of MCP tools in a blog of ${blog?.size} posts, medians of ${samples} calls in turns, milliseconds`,
    table(['tool', 'how', 'ms', 'more', 'ratio'], rows),
  ].join('\n\n');
});

async function timesOf(
  kinds: readonly (readonly [name: string, call: () => Promise<unknown>])[],
  samples: number,
): Promise<(readonly [name: string, ms: number])[]> {
  const times = kinds.map((): number[] => []);
  for (let i = 0; i < WARM_UP + samples; i += 1) {
    for (const [index, [, call]] of kinds.entries()) {
      const started = performance.now();
      await call();
      if (i >= WARM_UP) times[index]?.push(performance.now() - started);
    }
  }
  return kinds.map(([name], index) => [name, median(times[index] ?? [])]);
}

function rowsOf(tool: string, times: readonly (readonly [name: string, ms: number])[]): string[][] {
  const [, first = Number.NaN] = times[0] ?? [];
  return times.map(([name, ms]) => [tool, name, figure(ms), figure(ms - first), ratio(ms, first)]);
}

function messageOf({ tool, args }: Pair, id: number, meta?: object): object {
  const params = { name: tool, arguments: args, ...(meta && { _meta: meta }) };
  return { jsonrpc: '2.0', id, method: 'tools/call', params };
}

/** One request of the protocol, as clients send it after their handshake. */
async function callOverHttp(
  origin: string,
  headers: Readonly<Record<string, string>>,
  version: (typeof versions)[number],
  pair: Pair,
): Promise<string> {
  const isNew = version === '2026-07-28';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      ...headers,
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': version,
      ...(isNew && { 'Mcp-Method': 'tools/call', 'Mcp-Name': pair.tool }),
    },
    body: JSON.stringify(messageOf(pair, 1, isNew ? meta : undefined)),
  });
  return read(response);
}

/** The program that clients start, after its handshake. */
async function openStdio(key: string, origin: string) {
  const program = createRequire(import.meta.url).resolve('#dist/clients/mcp/main.js');
  const child = spawn(process.execPath, [program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PLATEN_API_KEY: key, PLATEN_API_URL: origin },
  });
  const lines = createInterface({ input: child.stdout });
  let id = 0;
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const ask = async (message: object) => {
    send(message);
    const [line] = await once(lines, 'line');
    return assertGood(String(line));
  };
  const client = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  };
  await ask({ jsonrpc: '2.0', id, method: 'initialize', params: client });
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    call(pair: Pair) {
      id += 1;
      return ask(messageOf(pair, id));
    },
    close: () => child.kill(),
  };
}

async function read(response: Response): Promise<string> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`);
  return assertGood(text);
}

function assertGood(text: string): string {
  if (/"isError":true|"error":/.test(text)) throw new Error(`a call has failed: ${text.slice(0, 500)}`);
  return text;
}

function slugIn(list: string): string {
  const { data } = JSON.parse(list);
  return data[0].slug;
}
