import { createMcpHandler, type McpRequestContext, type McpServer } from '@modelcontextprotocol/server';
import { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { createMcpServer, fixedBlog } from '../../clients/mcp/index.ts';
import { Platen } from '../../clients/sdk/index.ts';
import { callerOf, identify } from '../http/authenticate.ts';
import { createBytesReader, parseJsonBody } from '../http/body.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { DomainError } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import type { ApiFetch } from './api-in-process.ts';
import { sendResponse, toWebRequest } from './web-messages.ts';

/** An image of 5 MB in base64 and its message: as much as the API takes for an upload. */
const BODY_MAX_BYTES = 8 * 1_048_576;
/** Streams on which clients wait for changes of what is listed. Nothing changes, so all they do is cost memory. */
const MAX_SUBSCRIPTIONS = 256;
/** Clients give up on a tool after sixty seconds. */
const TIMEOUT_MS = 45_000;

export interface McpDependencies {
  readonly config: { readonly publicUrl: string };
  readonly log: Log;
  readonly credentials: Parameters<typeof identify>[0]['credentials'];
  readonly sessions: Parameters<typeof identify>[0]['sessions'];
  readonly rateLimit: RateLimit;
  readonly apiFetch: ApiFetch;
}

/**
 * MCP over streamable HTTP, for the version of 2026-07-28 and earlier ones. Nothing is kept between requests: each gets
 * a server of its own, which calls the API with the key of the request.
 */
export function mcpRouter(dependencies: McpDependencies): Router {
  const { config, log, apiFetch, rateLimit } = dependencies;
  const handler = createMcpHandler((context) => serverFor(context, apiFetch), {
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    maxRequestBodySize: BODY_MAX_BYTES,
    onerror: (err) => log.debug({ err }, 'MCP request refused'),
  });
  const readBytes = createBytesReader(BODY_MAX_BYTES);
  const router = Router();
  router.use(helmet({ strictTransportSecurity: { includeSubDomains: false } }));
  router.use(refuseForeignOrigins(config.publicUrl));
  router.use(identify(dependencies, { ...rateLimit, consume: rateLimit.consumeMcp }));
  router.all('/', async (req, res) => {
    const { accountId, scopes } = callerOf(req);
    const parsedBody = parseJsonBody(req, await readBytes(req, res));
    assertOneMessage(parsedBody);
    const token = (req.headers.authorization ?? '').replace(/^Bearer +/i, '').trim();
    const extra = { address: req.ip ?? '', blog: req.get('X-Blog-Id') };
    const authInfo = { token, clientId: accountId, scopes: [...scopes], extra };
    res.set('Cache-Control', 'no-store');
    await sendResponse(await handler.fetch(toWebRequest(req, res), { authInfo, parsedBody }), res);
  });
  return router;
}

/** The server of one request. Its API is in this process, so a failed call is not worth another attempt. */
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

/** A page of another site must not use a key that a browser of this network has. Programs send no `Origin`. */
function refuseForeignOrigins(publicUrl: string): RequestHandler {
  const own = new URL(publicUrl).origin;
  return (req, _res, next) => {
    const origin = req.get('Origin');
    if (origin === undefined || origin === own) return next();
    throw new DomainError('forbidden', `pages of other sites may not use /mcp: only ${own} may`);
  };
}

/** Throws for a batch. No version since 2025-06-18 has them, and one could ask for thousands of lists. */
function assertOneMessage(message: unknown): void {
  if (!Array.isArray(message)) return;
  throw new DomainError('bad_request', 'send one message a request: batches are not supported');
}
