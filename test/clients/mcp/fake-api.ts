import { InMemoryTransport } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type ActiveBlog, rememberedBlog } from '../../../clients/mcp/active-blog.ts';
import { createMcpServer } from '../../../clients/mcp/create-server.ts';
import { readImageFile } from '../../../clients/mcp/read-image.ts';
import { Platen } from '../../../clients/sdk/index.ts';
import { type ConnectOptions, connected, type McpConnection } from '../../support/mcp-client.ts';

/** A request as the API got it, below `/v1`. */
export interface Sent {
  /** Such as `GET /posts?page=1`. */
  readonly request: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  readonly body: any;
}

/** What the fake API answers: a status and JSON. */
export type Answers = (
  sent: Sent,
) => readonly [status: number, body: unknown, headers?: Record<string, string>];

export interface FakeSession extends McpConnection {
  readonly sent: Sent[];
}

/** A client in memory with a server whose API is a function. */
export async function fakeSession(
  answers: Answers,
  options: Partial<ConnectOptions> & { readonly activeBlog?: ActiveBlog; readonly isRemote?: boolean } = {},
): Promise<FakeSession> {
  const sent: Sent[] = [];
  const platen = new Platen({
    apiKey: 'pk_live_test',
    url: 'http://platen.test',
    maxRetries: 0,
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input));
      const body = typeof init?.body === 'string' ? JSON.parse(init.body) : (init?.body ?? undefined);
      const request = `${init?.method} ${pathname.replace('/v1', '')}${search}`;
      const one = { request, headers: new Headers(init?.headers), body };
      sent.push(one);
      const [status, json, headers = {}] = answers(one);
      return Response.json(json, { status, headers });
    },
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const settings = {
    platen,
    activeBlog: options.activeBlog ?? rememberedBlog(),
    readImage: options.isRemote ? null : readImageFile,
  };
  const server = serveStdio(() => createMcpServer(settings), { transport: far });
  const connection = await connected(near, {
    version: options.version ?? '2026-07-28',
    person: options.person,
  });
  return {
    ...connection,
    sent,
    async close() {
      await connection.close();
      await server.close();
    },
  };
}
