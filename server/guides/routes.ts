import { type Request, type RequestHandler, type Response, Router } from 'express';
import { chooseEncoding } from '../edge/encodings.ts';
import {
  type Addresses,
  createGuideFile,
  escapeHtml,
  type GuideFile,
  publicPathOf,
  readGuideFiles,
} from './guide-files.ts';
import { pageHeaders } from './page-headers.ts';
import { createStarterBlog, type StarterBlogOptions } from './starter-blog.ts';

interface GuideRoutes {
  /** Answers `/`: a page for browsers, JSON for every other client. */
  readonly home: RequestHandler;
  /** Router of `/docs`. */
  readonly guides: Router;
  /** Answers a browser's request for an unknown path with a page, and passes every other one on. */
  readonly notFound: RequestHandler;
}

/** The pages of the public host. They are read once, here. */
export function guideRoutes(options: Addresses & StarterBlogOptions): GuideRoutes {
  const files = readGuideFiles(options);
  const page = (name: string): string => {
    const html = files.get(name);
    if (html === undefined) throw new Error(`the guides have no ${name}: run npm run build`);
    return html;
  };
  return {
    home: homeHandler(options, page('home.html')),
    guides: guidesRouter(options, files),
    notFound: notFoundHandler(page('not-found.html')),
  };
}

/** Browsers name HTML before anything else; `*\/*`, as curl sends it, gets JSON. */
export function prefersHtml(req: Request, res: Response): boolean {
  res.vary('Accept');
  return req.accepts(['json', 'html']) === 'html';
}

const STARTER = '%STARTER%';

function homeHandler(options: Addresses & StarterBlogOptions, html: string): RequestHandler {
  const { publicUrl } = options;
  const starterBlog = createStarterBlog(options);
  const [before = '', after = ''] = html.split(`<p>${STARTER}</p>`);
  let page = { url: '', file: createGuideFile('home.html', before + after) };
  return async (req, res) => {
    if (!prefersHtml(req, res)) {
      res.json({
        name: 'Platen',
        api: `${publicUrl}/v1`,
        docs: `${publicUrl}/docs/`,
        reference: `${publicUrl}/docs/reference/`,
        openapi: `${publicUrl}/v1/openapi.json`,
      });
      return;
    }
    const url = (await starterBlog()) ?? '';
    if (url !== page.url) {
      const link = `<p>Its first blog is at <a href="${escapeHtml(url)}">${escapeHtml(url)}</a>.</p>`;
      page = { url, file: createGuideFile('home.html', before + (url && link) + after) };
    }
    await sendFile(req, res, page.file, REVALIDATE);
  };
}

/** Caches may keep it, and ask each time whether it has changed. */
const REVALIDATE = 'public, max-age=0, must-revalidate';
/**
 * Styles and scripts have a hash of their content in their names. So has the search index, but it has addresses too.
 */
const FOR_EVER = 'public, max-age=31536000, immutable';

function guidesRouter({ publicUrl }: Addresses, files: ReadonlyMap<string, string>): Router {
  const root = `${publicPathOf(publicUrl)}/docs/`;
  const inMemory = new Map([...files].map(([name, text]) => [name, createGuideFile(name, text)]));
  const router = Router();
  router.get('/{*path}', async (req, res, next) => {
    const path = req.path.slice(1);
    // Without the slash, relative links would lead elsewhere.
    if (path === '' && !/^[^?]*\/docs\//.test(req.originalUrl)) return res.redirect(301, root);
    if (inMemory.has(`${path}/index.html`)) return res.redirect(301, `${root}${path}/`);
    const file = inMemory.get(path.endsWith('/') || path === '' ? `${path}index.html` : path);
    if (file === undefined || /\.html$/.test(path)) return next();
    await sendFile(req, res, file, /-[0-9a-f]{12}\.(?:css|js)$/.test(path) ? FOR_EVER : REVALIDATE);
  });
  return router;
}

function notFoundHandler(html: string): RequestHandler {
  const file = createGuideFile('not-found.html', html);
  return async (req, res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (!isRead || /^\/v1(?:\/|$)/.test(req.path) || !prefersHtml(req, res)) return next();
    res.status(404);
    await sendFile(req, res, file, 'no-store');
  };
}

async function sendFile(req: Request, res: Response, file: GuideFile, cacheControl: string): Promise<void> {
  res.set(pageHeaders);
  res.set({ 'Content-Type': file.type, 'Cache-Control': cacheControl, ETag: file.etag });
  if (req.fresh) return void res.status(304).end();
  if (!file.compressible) return void res.send(file.bytes);
  res.vary('Accept-Encoding');
  const encoding = chooseEncoding(req.headers['accept-encoding']);
  if (encoding === 'identity') return void res.send(file.bytes);
  const bytes = await file.compressed(encoding);
  res.set('Content-Encoding', encoding).send(bytes);
}
