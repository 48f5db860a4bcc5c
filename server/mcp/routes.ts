import { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { z } from 'zod';
import { memoised } from '../../generator/workers/memoised.ts';
import { callerOf, identify } from '../http/authenticate.ts';
import { createBytesReader, parseJsonBody } from '../http/body.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { DomainError } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import type { ApiFetch } from './api-in-process.ts';
import { sendResponse, toWebRequest } from './web-messages.ts';

/** An image of 5 MB in base64 and its message: as much as the API takes for an upload. */
const BODY_MAX_BYTES = 8 * 1_048_576;

/** Far above the length of any resource's URI. The protocol's SDK fails at a million characters. */
const MAX_URI = 2_000;

type Authentication = Parameters<typeof identify>[0];

export interface McpDependencies extends Authentication {
  readonly config: { readonly publicUrl: string };
  readonly log: Log;
  readonly rateLimit: RateLimit;
  readonly apiFetch: ApiFetch;
}

/** MCP over streamable HTTP. */
export function mcpRouter(dependencies: McpDependencies): Router {
  const { config, log, apiFetch, rateLimit } = dependencies;
  // Loading the protocol would make every start a twelfth longer, and many servers never meet an agent.
  const loadHandler = memoised(async () => (await import('./handler.ts')).createHandler(apiFetch, log));
  const readBytes = createBytesReader(BODY_MAX_BYTES);
  const router = Router();
  router.use(helmet({ strictTransportSecurity: { includeSubDomains: false } }));
  router.use(refuseForeignOrigins(config.publicUrl));
  router.use(identify(dependencies, { ...rateLimit, consume: rateLimit.consumeMcp }));
  router.all('/', async (req, res) => {
    const caller = callerOf(req);
    const parsedBody = parseJsonBody(req, await readBytes(req, res));
    assertUsable(parsedBody);
    const handle = await loadHandler();
    const response = await handle({
      request: toWebRequest(req, res),
      parsedBody,
      caller,
      token: (req.headers.authorization ?? '').replace(/^Bearer +/i, '').trim(),
      address: req.ip ?? '',
      blog: req.get('X-Blog-Id'),
    });
    res.set('Cache-Control', 'no-store');
    await sendResponse(response, res);
  });
  return router;
}

/** A page of another site must not use a key that a browser on this network has. Programs send no `Origin`. */
function refuseForeignOrigins(publicUrl: string): RequestHandler {
  const own = new URL(publicUrl).origin;
  return (req, _res, next) => {
    const origin = req.get('Origin');
    if (origin === undefined || origin === own) return next();
    throw new DomainError('forbidden', `pages of other sites may not use /mcp: only ${own} may`);
  };
}

const withLongUri = z.object({ params: z.object({ uri: z.string().min(MAX_URI + 1) }) });

/**
 * Throws for a batch, which no version since 2025-06-18 has, and which could ask for thousands of lists; and for a
 * URI too long for any resource.
 */
function assertUsable(message: unknown): void {
  if (Array.isArray(message)) {
    throw new DomainError('bad_request', 'send one message a request: batches are not supported');
  }
  if (withLongUri.safeParse(message).success) {
    throw new DomainError('bad_request', `params.uri must be at most ${MAX_URI} characters`);
  }
}
