import type { IncomingMessage, ServerResponse } from 'node:http';
import { INDEX_FILE, NOT_FOUND_PAGE } from '../../generator/addresses.ts';
import { cacheControlOf, REVALIDATE } from '../../generator/edge/cache-control.ts';
import { contentTypeOf } from '../../generator/edge/content-type.ts';
import {
  type HeaderRules,
  headersFilePath,
  headersFor,
  parseHeaderRules,
} from '../../generator/edge/header-rules.ts';
import { withQuery } from '../../generator/edge/redirect.ts';
import { currentTick } from '../runtime/event-loop-tick.ts';
import { chooseEncoding, type Encoding, isCompressible } from './encodings.ts';
import { createFileCache } from './file-cache.ts';
import { fileHeaders, validatorsOf } from './file-headers.ts';
import { respondWithBytes, respondWithFile } from './file-response.ts';
import { type OpenFile, openFile } from './open-file.ts';
import { createPageFile, type EncodedPage, type PageFile } from './page-file.ts';
import { type RespondWithHtml, respondMethodNotAllowed, respondWithRedirect } from './plain-responses.ts';
import { normalisePath, type RequestTarget, servedFileOf, targetOf } from './request-path.ts';
import type { CachedResponse, TickCache } from './tick-cache.ts';

export interface BlogFolders {
  /**
   * Serves a request from a blog's folder. `turn` is the event-loop tick in which the host was looked up. Rejects if
   * the file system fails.
   */
  serve(folder: string, tick: number, req: IncomingMessage, res: ServerResponse): Promise<void>;
}

/** Cache budget for the pages of all blogs in bytes, compressed variants included. */
const PAGE_CACHE_BYTES = 64 * 1_048_576;
const RULE_CACHE_BYTES = 4 * 1_048_576;
/** Larger files are not cached; they are read for each request. */
const CACHED_FILE_MAX_BYTES = 1_048_576;

export interface BlogFoldersOptions {
  /** Header rules for folders without a `_headers` file. */
  readonly defaultRules: HeaderRules;
  readonly tickCache: TickCache;
  /** For blogs that have no error page. */
  readonly respondWithHtml: RespondWithHtml;
}

/** Serves the blog folders of a filesystem edge. */
export function createBlogFolders({
  defaultRules,
  tickCache,
  respondWithHtml,
}: BlogFoldersOptions): BlogFolders {
  const pages = createFileCache({
    maxBytes: PAGE_CACHE_BYTES,
    maxFileBytes: CACHED_FILE_MAX_BYTES,
    derive: createPageFile,
  });
  const rulesIn = createFileCache({
    maxBytes: RULE_CACHE_BYTES,
    maxFileBytes: CACHED_FILE_MAX_BYTES,
    derive: ({ bytes }) => parseHeaderRules(bytes.toString('utf8')),
  });

  async function serve(
    folder: string,
    tick: number,
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<void> {
    const target = targetOf(req);
    const path = normalisePath(target.path);
    const found = await rulesIn.get(headersFilePath(folder));
    const place = {
      folder,
      path: path ?? target.path,
      rules: typeof found === 'string' ? defaultRules : found,
    };
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      return respondMethodNotAllowed(res, headersFor(place.rules, place.path));
    }
    const file = path === null ? null : servedFileOf(path);
    const page = file === null ? 'nothing' : await pages.get(folder + file);
    const isFolder = page === 'folder' && file === path;
    const resolved = isFolder ? await pages.get(`${folder}${file}/${INDEX_FILE}`) : page;
    if (typeof resolved === 'object' && resolved.redirectTarget !== null) {
      // Not cached without revalidation: the redirect may change its target later, even back.
      const own = { location: withQuery(resolved.redirectTarget, target.query), cacheControl: REVALIDATE };
      return respondWithRedirect(req, res, own, headersFor(place.rules, place.path));
    }
    if (typeof page === 'object') {
      const cached = cachedResponseOf(await page.encode(encodingFor(req)), page, place);
      respondWithBytes(req, res, cached.answer, cached.bytes);
      if (tick === currentTick() && req.headers.range === undefined) tickCache.remember(req, cached);
      return;
    }
    if (page === 'too large') {
      const opened = await openFile(folder + file);
      // It may have been removed since it was looked up.
      if (typeof opened === 'object') {
        return serveLargeFile(opened, contentTypeOf(folder + file), place, req, res);
      }
    }
    if (isFolder) return redirectToFolder(target, place, res);
    return serveNotFound(place, req, res);
  }

  /** Responds with the blog's own 404 page, for a missing page or an invalid path. */
  async function serveNotFound(place: Place, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const page = await pages.get(place.folder + NOT_FOUND_PAGE);
    const headers = headersFor(place.rules, place.path);
    if (typeof page === 'string') return respondWithHtml(req, res, 404, headers);
    const { bytes, encoding } = await page.encode(chooseEncoding(req.headers['accept-encoding']));
    const { type, compressible: varies } = page;
    const own = { type, encoding, varies, size: bytes.length, cacheControl: REVALIDATE };
    res.writeHead(404, fileHeaders(own, headers)).end(req.method === 'HEAD' ? undefined : bytes);
  }

  return { serve };
}

/** Resolved target of a request: the folder, the path in it, and the folder's header rules. */
interface Place {
  readonly folder: string;
  readonly path: string;
  readonly rules: HeaderRules;
}

function cachedResponseOf(form: EncodedPage, page: PageFile, place: Place): CachedResponse {
  const { rules, path } = place;
  if (form.lastResponse?.rules !== rules || form.lastResponse.path !== path) {
    form.lastResponse = { rules, path, answer: responseOf(page, form, place) };
  }
  return { answer: form.lastResponse.answer, bytes: form.bytes };
}

function responseOf({ type, modified, compressible }: PageFile, form: EncodedPage, { rules, path }: Place) {
  const { etag, encoding, bytes } = form;
  const size = bytes.length;
  const validators = { etag, modified };
  const own = { type, encoding, varies: compressible, size, validators, cacheControl: cacheControlOf(path) };
  return { ...validators, size, headers: fileHeaders(own, headersFor(rules, path)) };
}

async function serveLargeFile(
  file: OpenFile,
  type: string,
  place: Place,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const varies = isCompressible(type, file.stats.size);
  const encoding = varies ? encodingFor(req) : 'identity';
  const size = encoding === 'identity' ? file.stats.size : null;
  const validators = validatorsOf(file.stats, encoding === 'identity' ? '' : `-${encoding}`);
  const own = { type, encoding, varies, size, validators, cacheControl: cacheControlOf(place.path) };
  const headers = fileHeaders(own, headersFor(place.rules, place.path));
  await respondWithFile(req, res, { ...validators, size, headers }, { file, encoding });
}

/** Ranges refer to the uncompressed bytes, so a range request is never compressed. */
const encodingFor = ({ headers }: IncomingMessage): Encoding | 'identity' =>
  headers.range === undefined ? chooseEncoding(headers['accept-encoding']) : 'identity';

/** Redirects to the path with a trailing slash. Leading slashes are reduced to one: `//` would name another host. */
function redirectToFolder(
  { path, query }: RequestTarget,
  { rules, path: pagePath }: Place,
  res: ServerResponse,
): void {
  const location = `/${path.replace(/^[/\\]+/, '')}/${query}`;
  res.writeHead(301, [...headersFor(rules, pagePath)].flat().concat('Location', location)).end();
}
