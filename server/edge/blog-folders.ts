import type { IncomingMessage, ServerResponse } from 'node:http';
import { cacheControlOf, MUST_ASK } from '../../generator/edge/cache-control.ts';
import { contentTypeOf } from '../../generator/edge/content-type.ts';
import {
  type HeaderRules,
  headersFileIn,
  headersFor,
  parseHeaderRules,
} from '../../generator/edge/header-rules.ts';
import { thisTurn } from '../runtime/event-loop-tick.ts';
import { answerWithBytes, answerWithFile } from './answer.ts';
import { chooseEncoding, type Encoding, isCompressible } from './encodings.ts';
import { fileHeaders, validatorsOf } from './file-headers.ts';
import { createFreshFiles } from './fresh-files.ts';
import { openFile } from './open-file.ts';
import { createPageFile, type Form, type PageFile } from './page-file.ts';
import { fileAt, meantPath, type Target, targetOf } from './page-path.ts';
import { answerHtml, answerMoved, refuseMethod } from './plain-answers.ts';
import type { Ready, SameTurn } from './same-tick.ts';

export interface BlogFolders {
  /**
   * Serves a request from a blog's folder. `turn` is the event-loop tick in which the host was looked up. Rejects if
   * the file system fails.
   */
  serve(folder: string, turn: number, req: IncomingMessage, res: ServerResponse): Promise<void>;
}

/** Cache budget for the pages of all blogs in bytes, compressed variants included. */
const PAGES_BYTES = 64 * 1_048_576;
const RULES_BYTES = 4 * 1_048_576;
/** Larger files are not cached; they are read for each request. */
const FILE_BYTES = 1_048_576;

export interface BlogFoldersOptions {
  /** Header rules for folders without a `_headers` file. */
  readonly plain: HeaderRules;
  readonly sameTurn: SameTurn;
}

/** Serves the blog folders of a filesystem edge. */
export function createBlogFolders({ plain, sameTurn }: BlogFoldersOptions): BlogFolders {
  const pages = createFreshFiles({ maxBytes: PAGES_BYTES, maxFileBytes: FILE_BYTES, make: createPageFile });
  const rulesIn = createFreshFiles({
    maxBytes: RULES_BYTES,
    maxFileBytes: FILE_BYTES,
    make: ({ bytes }) => parseHeaderRules(bytes.toString('utf8')),
  });

  async function serve(
    folder: string,
    turn: number,
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<void> {
    const target = targetOf(req);
    const path = meantPath(target.path);
    const found = await rulesIn.get(headersFileIn(folder));
    const place = { folder, path: path ?? target.path, rules: typeof found === 'string' ? plain : found };
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      return refuseMethod(res, headersFor(place.rules, place.path));
    }
    const file = path === null ? null : fileAt(path);
    const page = file === null ? 'nothing' : await pages.get(folder + file);
    const isOfFolder = page === 'folder' && file === path;
    const meant = isOfFolder ? await pages.get(`${folder}${file}/index.html`) : page;
    if (typeof meant === 'object' && meant.movedTo !== null) {
      // Not cached without revalidation: the redirect may change its target later, even back.
      const own = { location: meant.movedTo + target.query, cacheControl: MUST_ASK };
      return answerMoved(req, res, own, headersFor(place.rules, place.path));
    }
    if (typeof page === 'object') {
      const ready = readyOf(await page.form(encodingFor(req)), page, place);
      answerWithBytes(req, res, ready.answer, ready.bytes);
      if (turn === thisTurn() && req.headers.range === undefined) sameTurn.remember(req, ready);
      return;
    }
    if (page === 'too large') return answerWithLarge(folder + file, place, req, res);
    if (isOfFolder) return lead(target, place, res);
    return answerMissing(place, req, res);
  }

  /** Responds with the blog's own 404 page, for a missing page or an invalid path. */
  async function answerMissing(place: Place, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const page = await pages.get(`${place.folder}/404.html`);
    const headers = headersFor(place.rules, place.path);
    if (typeof page === 'string') return answerHtml(req, res, 404, headers);
    const { bytes, encoding } = await page.form(chooseEncoding(req.headers['accept-encoding']));
    const { type, compressible: varies } = page;
    const own = { type, encoding, varies, size: bytes.length, cacheControl: MUST_ASK };
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

function readyOf(form: Form, page: PageFile, place: Place): Ready {
  const { rules, path } = place;
  if (form.last?.rules !== rules || form.last.path !== path) {
    form.last = { rules, path, answer: answerOf(page, form, place) };
  }
  return { answer: form.last.answer, bytes: form.bytes };
}

function answerOf({ type, modified, compressible }: PageFile, form: Form, { rules, path }: Place) {
  const { etag, encoding, bytes } = form;
  const size = bytes.length;
  const validators = { etag, modified };
  const own = { type, encoding, varies: compressible, size, validators, cacheControl: cacheControlOf(path) };
  return { ...validators, size, headers: fileHeaders(own, headersFor(rules, path)) };
}

async function answerWithLarge(
  path: string,
  place: Place,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const file = await openFile(path);
  // It was removed since it was looked up.
  if (typeof file === 'string') return answerHtml(req, res, 404, headersFor(place.rules, place.path));
  const type = contentTypeOf(path);
  const varies = isCompressible(type, file.stats.size);
  const encoding = varies ? encodingFor(req) : 'identity';
  const size = encoding === 'identity' ? file.stats.size : null;
  const validators = validatorsOf(file.stats, encoding === 'identity' ? '' : `-${encoding}`);
  const own = { type, encoding, varies, size, validators, cacheControl: cacheControlOf(place.path) };
  const headers = fileHeaders(own, headersFor(place.rules, place.path));
  await answerWithFile(req, res, { ...validators, size, headers }, { file, encoding });
}

/** Ranges refer to the uncompressed bytes, so a range request is never compressed. */
const encodingFor = ({ headers }: IncomingMessage): Encoding | 'identity' =>
  headers.range === undefined ? chooseEncoding(headers['accept-encoding']) : 'identity';

/** Redirects to the path with a trailing slash. Leading slashes are reduced to one: `//` would name another host. */
function lead({ path, query }: Target, { rules, path: meant }: Place, res: ServerResponse): void {
  const location = `/${path.replace(/^[/\\]+/, '')}/${query}`;
  res.writeHead(301, [...headersFor(rules, meant)].flat().concat('Location', location)).end();
}
