import {
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  type McpServer,
} from '@modelcontextprotocol/server';
import { createMcpServer, fixedBlog } from '../../clients/mcp/index.ts';
import { Platen } from '../../clients/sdk/index.ts';
import type { Caller } from '../access/caller.ts';
import type { Log } from '../runtime/log.ts';
import type { ApiFetch } from './api-in-process.ts';

/** Streams on which clients wait for changes of what is listed. Nothing changes, so all they do is cost memory. */
const MAX_SUBSCRIPTIONS = 256;
/** Clients give up on a tool after sixty seconds. */
const TIMEOUT_MS = 45_000;

/** A message, and what its HTTP request says about the sender. */
export interface McpMessage {
  readonly request: Request;
  readonly parsedBody: unknown;
  readonly caller: Caller;
  /** The API key or session token of the request. */
  readonly token: string;
  readonly address: string;
  /** Id or slug of the blog that the client has chosen for all its calls. */
  readonly blog: string | undefined;
}

/**
 * Answers messages of 2026-07-28 and of earlier versions. Nothing is kept between them: each gets a server of its own,
 * which calls the API with the key of the request.
 */
export function createHandler(apiFetch: ApiFetch, log: Log): (message: McpMessage) => Promise<Response> {
  const handler: McpHttpHandler = createMcpHandler((context) => serverFor(context, apiFetch), {
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (err) => log.debug({ err }, 'MCP message refused'),
  });
  return ({ request, parsedBody, caller, token, address, blog }) => {
    const { accountId: clientId, scopes } = caller;
    const authInfo = { token, clientId, scopes: [...scopes], extra: { address, blog } };
    return handler.fetch(request, { authInfo, parsedBody });
  };
}

/** The API is in this process, so a call that has failed is not worth another attempt. */
function serverFor({ authInfo }: McpRequestContext, apiFetch: ApiFetch): McpServer {
  const { address, blog } = authInfo?.extra ?? {};
  const platen = new Platen({
    apiKey: authInfo?.token,
    url: 'http://localhost',
    fetch: apiFetch(String(address)),
    maxRetries: 0,
    timeout: TIMEOUT_MS,
    totalTimeout: TIMEOUT_MS,
  });
  const activeBlog = fixedBlog(typeof blog === 'string' ? blog : undefined);
  return createMcpServer({ platen, activeBlog, readImage: null });
}
