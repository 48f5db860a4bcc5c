import compression from 'compression';
import cors, { type CorsOptions } from 'cors';
import express, { type Express, Router } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { edgeOf } from '../generator/edge/edge-kinds.ts';
import { accountEndpoints } from './accounts/routes.ts';
import { analyticsEndpoints } from './analytics/routes.ts';
import { blogsEndpoints } from './blogs/routes.ts';
import type { Services } from './compose.ts';
import { markdownEndpoints } from './content/routes.ts';
import { tokensEndpoints } from './credentials/routes.ts';
import { domainsEndpoints } from './domains/routes.ts';
import { exportEndpoints } from './exports/routes.ts';
import { guideRoutes } from './guides/routes.ts';
import { countByAddress, identify } from './http/authenticate.ts';
import type { Endpoint } from './http/endpoint.ts';
import { errorHandler, unknownOperation, unknownPathHandler } from './http/errors.ts';
import { methodNotAllowed } from './http/method-not-allowed.ts';
import { createRateLimit, type RateLimit } from './http/rate-limit.ts';
import { serve } from './http/serve.ts';
import { health, readiness } from './installation/routes.ts';
import { createApiInProcess } from './mcp/api-in-process.ts';
import { mcpRouter } from './mcp/routes.ts';
import { imagesEndpoints } from './media/routes.ts';
import { redirectToMedia, serveMedia } from './media/serve-media.ts';
import { createDocument } from './openapi/document.ts';
import { referenceRouter } from './openapi/reference.ts';
import { documentEndpoints } from './openapi/routes.ts';
import { packsEndpoints } from './packs/routes.ts';
import { batchEndpoints } from './posts/batch-routes.ts';
import { postsEndpoints } from './posts/routes.ts';
import { layoutPreviewEndpoints, layoutPreviewHandler } from './previews/layout-routes.ts';
import { previewHandler, previewsEndpoints } from './previews/routes.ts';
import { rebuildsEndpoints } from './rebuilds/routes.ts';
import { redirectsEndpoints } from './redirects/routes.ts';
import { removalEndpoints } from './removal/routes.ts';
import { revisionsEndpoints } from './revisions/routes.ts';
import { searchEndpoints } from './search/routes.ts';

/** The app of the public host: API, media, health, previews and guides. Requests to blogs' hosts never reach it. */
export function createApp(services: Services): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', services.config.trustProxy);
  const rateLimit = createRateLimit(services.config.tiers);
  const api = apiRouter(services, rateLimit);
  const errors = errorHandler(services);
  app.use('/v1', api);
  app.use('/mcp', mcpRouter({ ...services, rateLimit, apiFetch: createApiInProcess(api, errors) }));
  const { localFolder } = edgeOf(services.config.edge);
  app.use('/media', localFolder === null ? redirectToMedia(services.config) : serveMedia(localFolder));
  app.use(helmet({ strictTransportSecurity }));
  app.use(compression());
  const { home, guides, notFound } = guideRoutes({ ...services, ...services.config });
  app.get('/', home);
  app.get('/healthz', health);
  app.get('/readyz', readiness(services));
  app.get('/preview/:token', previewHandler({ ...services, rateLimit }));
  app.get('/preview/layouts/:token{/*page}', layoutPreviewHandler({ ...services, rateLimit }));
  app.use('/docs/reference', referenceRouter(services.config));
  app.use('/docs', guides);
  app.use(notFound);
  app.use(unknownPathHandler);
  app.use(errors);
  return app;
}

/** Subdomains may be blogs, and the API's host must not decide whether they need HTTPS. */
const strictTransportSecurity = { includeSubDomains: false };

/** Headers for JSON. Those that only matter for HTML documents are off. */
const jsonHeaders: HelmetOptions = {
  strictTransportSecurity,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': "'none'", 'frame-ancestors': "'none'" },
  },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

/** Skips compression for clients that do not accept it: setting it up costs as much as answering a small request. */
function compressionIfAccepted(): express.RequestHandler {
  const compress = compression();
  return (req, res, next) =>
    req.headers['accept-encoding'] === undefined ? next() : compress(req, res, next);
}

/** Scripts of any site may call the API: it authenticates requests by their key, never by a cookie. */
const corsOptions: CorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  exposedHeaders: [
    ...['ETag', 'Location', 'Retry-After', 'Preference-Applied', 'Idempotency-Replayed'],
    ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  ],
  maxAge: 86_400,
  // The route answers an `OPTIONS` that is no preflight, because it knows the allowed methods.
  preflightContinue: true,
};

/** All operations of the API, in the order of the reference. */
export function endpoints(services: Services): Endpoint[] {
  const all: Endpoint[] = [
    ...postsEndpoints(services),
    ...imagesEndpoints(services),
    ...searchEndpoints(services),
    ...blogsEndpoints(services),
    ...redirectsEndpoints(services),
    ...layoutPreviewEndpoints(services),
    ...domainsEndpoints(services),
    ...analyticsEndpoints(services),
    ...packsEndpoints(services),
    ...tokensEndpoints(services),
    ...accountEndpoints(services),
    ...exportEndpoints(services),
    ...rebuildsEndpoints(services),
    ...removalEndpoints(services),
    ...revisionsEndpoints(services),
    ...previewsEndpoints(services),
    ...markdownEndpoints(services),
    ...batchEndpoints(services),
    ...documentEndpoints(() => createDocument(all, services.config)),
  ];
  return all;
}

function apiRouter(services: Services, rateLimit: RateLimit): Router {
  const router = Router();
  router.use(helmet(jsonHeaders));
  router.use(compressionIfAccepted());
  router.use(cors(corsOptions));
  router.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
  const declared = endpoints(services);
  for (const { method, path, hourlyLimitPerAddress } of declared) {
    if (hourlyLimitPerAddress !== undefined)
      router[method](path, countByAddress(rateLimit, path, hourlyLimitPerAddress));
  }
  router.use(identify(services, rateLimit));
  for (const endpoint of declared) router[endpoint.method](endpoint.path, serve(endpoint, services));
  for (const path of new Set(declared.map((endpoint) => endpoint.path))) {
    router.all(path, methodNotAllowed(path, declared));
  }
  const paths = declared.map(({ path }) => path);
  router.use(unknownOperation(paths, services.config.publicUrl));
  return router;
}
