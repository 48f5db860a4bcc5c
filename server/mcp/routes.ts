import { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { memoised } from '../../generator/workers/memoised.ts';
import { callerOf, identify } from '../http/authenticate.ts';
import { createBytesReader, parseJsonBody } from '../http/body.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { DomainError } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import type { ApiFetch } from './api-in-process.ts';
import { assertMessageLimits } from './message-limits.ts';
import { sendResponse, toWebRequest } from './web-messages.ts';

/** An image of 5 MB in base64 and its message: as much as the API takes for an upload. */
const BODY_MAX_BYTES = 8 * 1_048_576;

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
    assertMessageLimits(parsedBody);
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
