import { type RequestHandler, Router } from 'express';
import swaggerUi from 'swagger-ui-dist/absolute-path.js';
import { pageHeaders } from '../guides/page-headers.ts';

const SWAGGER_UI_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** Router of the interactive API reference; mount it at `/docs/reference` of the public host. */
export function referenceRouter({ publicUrl }: { readonly publicUrl: string }): Router {
  const prefix = new URL(publicUrl).pathname.replace(/\/$/, '');
  const router = Router();
  router.use((_req, res, next) => {
    res.set(pageHeaders);
    next();
  });
  router.get('/', sendText('html', pageHtml(prefix)));
  router.get('/reference.js', sendText('js', pageScript(prefix)));
  router.get('/reference.css', sendText('css', STYLE));
  for (const file of SWAGGER_UI_FILES) {
    router.get(`/${file}`, (_req, res) => res.sendFile(file, { root: swaggerUi() }));
  }
  return router;
}

const sendText =
  (type: string, text: string): RequestHandler =>
  (_req, res) => {
    res.set('Cache-Control', 'public, max-age=0, must-revalidate').type(type).send(text);
  };

const pageHtml = (prefix: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Platen API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${prefix}/docs/reference/swagger-ui.css">
<link rel="stylesheet" href="${prefix}/docs/reference/reference.css">
<script src="${prefix}/docs/reference/swagger-ui-bundle.js" defer></script>
<script src="${prefix}/docs/reference/reference.js" defer></script>
</head>
<body>
<header><strong>Platen API reference</strong>
<nav aria-label="Documentation"><a href="${prefix}/docs/">Guides</a> <a href="${prefix}/docs/search/">Search</a> <a href="${prefix}/v1/openapi.json">OpenAPI document</a></nav></header>
<main id="reference"><noscript>The reference needs JavaScript; the OpenAPI document does not.</noscript></main>
</body>
</html>
`;

/**
 * Swagger UI is dark if the root element has the class `dark-mode`; the script sets it by the reader's preference.
 */
const pageScript = (prefix: string): string => `'use strict';
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
SwaggerUIBundle({
  url: '${prefix}/v1/openapi.json',
  domNode: document.getElementById('reference'),
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

const STYLE = `body { margin: 0; background: #fff; color: #1c1c1c; font: 16px/1.5 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.5rem 2rem; max-width: 1460px;
  margin: 0 auto; padding: 1rem 20px; box-sizing: border-box; }
header nav { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
header a { color: #1f5fa8; }
:focus-visible { outline: 3px solid #2f7bd9; outline-offset: 2px; }
.dark-mode body { background: #1c2022; color: #e6e6e6; }
.dark-mode header a { color: #8cbcf2; }
.dark-mode .swagger-ui table.headers td { color: inherit; }
`;
