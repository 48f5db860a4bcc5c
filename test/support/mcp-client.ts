import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** The two versions that clients speak. */
export const protocolVersions = ['2025-11-25', '2026-07-28'] as const;
export type ProtocolVersion = (typeof protocolVersions)[number];

/** How a person answers a form; undefined for a client that has no forms. */
export type Person = (message: string) => { action: 'accept' | 'decline'; delete?: boolean };

export interface McpConnection {
  readonly client: Client;
  /** Calls a tool. */
  call(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
  /** Calls a tool, and gives the text of its answer. Throws if that is an error. */
  text(name: string, args?: Record<string, unknown>): Promise<string>;
  /** Calls a tool, and gives the text of its error. Throws if there is none. */
  refusal(name: string, args?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly version: ProtocolVersion;
  readonly person?: Person | undefined;
}

export async function connectHttp(
  origin: string,
  headers: Readonly<Record<string, string>>,
  options: ConnectOptions,
): Promise<McpConnection> {
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } });
  return connected(transport, options);
}

/** Starts a server as a process, as clients do. */
export async function connectStdio(
  process: {
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly cwd?: string;
  },
  options: ConnectOptions,
): Promise<McpConnection> {
  const { PATH = '' } = globalThis.process.env;
  const transport = new StdioClientTransport({
    command: globalThis.process.execPath,
    args: [...process.args],
    env: { PATH, ...process.env },
    ...(process.cwd !== undefined && { cwd: process.cwd }),
    stderr: 'inherit',
  });
  return connected(transport, options);
}

export async function connected(
  transport: Parameters<Client['connect']>[0],
  { version, person }: ConnectOptions,
): Promise<McpConnection> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: person ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: version === '2026-07-28' ? { pin: version } : 'legacy' },
    },
  );
  if (person) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const { action, delete: isAgreed } = person(params.message);
      return { action, ...(isAgreed !== undefined && { content: { delete: isAgreed } }) };
    });
  }
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args })) as CallToolResult;
  const textOf = ({ content }: CallToolResult) =>
    content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return {
    client,
    call,
    async text(name, args) {
      const result = await call(name, args);
      if (result.isError) throw new Error(`${name}: ${textOf(result)}`);
      return textOf(result);
    },
    async refusal(name, args) {
      const result = await call(name, args);
      if (!result.isError) throw new Error(`${name} is no error: ${textOf(result)}`);
      return textOf(result);
    },
    close: () => client.close(),
  };
}
