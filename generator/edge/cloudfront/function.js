// biome-ignore-all lint: written for the runtime at CloudFront, which has no modules and few features of the language.
import cf from 'cloudfront';

// Runs at CloudFront for every request, before the cache (viewer-request) and before the response (viewer-response), in
// the runtime cloudfront-js-2.0. It does for readers what the embedded edge does (server/edge/blog-hosts.ts).
// entries.ts describes the key-value entries that it reads.

const BLOG_HOST = '${BlogHost}';

const store = cf.kvs();

const READ_ONLY = 'A blog is read with GET or HEAD.\n';
const NO_BLOG =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Not found</title><h1>There is no blog here</h1></html>\n';
const MUST_ASK = 'public, max-age=0, must-revalidate';

// Other sites may embed images; opened as pages, they can run nothing.
const MEDIA_HEADERS =
  'X-Content-Type-Options: nosniff\n' +
  "Content-Security-Policy: default-src 'none'; sandbox\n" +
  'Cross-Origin-Resource-Policy: cross-origin\n' +
  'Access-Control-Allow-Origin: *';

async function handler(event) {
  const request = event.request;
  const hostname = hostnameOf(request);
  const known = await placeOf(hostname);
  if (event.response) {
    const done = await finish(request, event.response, known);
    return done;
  }
  if (known.url) return lead(known.url + withoutSlashes(request.uri) + queryOf(request), {});
  const path = meantPath(request.uri);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const own = await headersOf(known, path);
    own.allow = { value: 'GET, HEAD' };
    return answer(405, 'Method Not Allowed', own, 'text/plain; charset=utf-8', READ_ONLY);
  }
  if (!known.folder) {
    const plain = await headersOf(known, path);
    return answer(404, 'Not Found', plain, 'text/html; charset=utf-8', NO_BLOG);
  }
  if (known.slug && path !== null && isFolder(path)) {
    const own = await headersOf(known, path);
    return lead('/' + withoutSlashes(request.uri) + '/' + queryOf(request), own);
  }
  request.uri = known.folder + encoded(fileAt(path));
  return request;
}

// Adds the blog's headers to a response from the cache or the bucket. Headers of the object take precedence.
async function finish(request, response, known) {
  const headers = response.headers;
  const moved = headers['x-amz-meta-location'];
  const own = await headersOf(known, meantPath(withoutFolder(request.uri, known)));
  for (const name in own) if (!headers[name]) headers[name] = own[name];
  if (!moved) return response;
  delete headers['x-amz-meta-location'];
  delete headers.etag;
  delete headers['last-modified'];
  delete headers['accept-ranges'];
  delete headers['content-range'];
  headers.location = { value: withQuery(moved.value, queryOf(request)) };
  headers['cache-control'] = { value: MUST_ASK };
  response.statusCode = 301;
  response.statusDescription = 'Moved Permanently';
  return response;
}

// Resolves a host name to a blog's folder, to a redirect URL, or, with an empty result, to nothing.
async function placeOf(hostname) {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(hostname)) return {};
  const entry = await read(hostname);
  if (/^https?:/.test(entry)) return { url: entry };
  const end = hostname.length - BLOG_HOST.length - 1;
  const below = end > 0 && hostname.slice(end) === '.' + BLOG_HOST ? hostname.slice(0, end) : '';
  const slug = entry || below;
  if (!entry && slug === 'media') return { folder: '/media', slug: '' };
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(slug)) return {};
  return { folder: '/sites/' + slug, slug: slug };
}

// The headers of a page (entries.ts): the first matching pattern wins.
async function headersOf(known, path) {
  if (known.folder && !known.slug) return headersIn(MEDIA_HEADERS);
  let own = '';
  if (known.slug) own = await read('blog:' + known.slug);
  const key = 'headers:' + (own || 'usual');
  let lines = await read(key);
  const patterns = lines.split('\n').filter((line) => line.charAt(0) === '/');
  const fits = (pattern) =>
    pattern.slice(-1) === '*' ? path.indexOf(pattern.slice(0, -1)) === 0 : path === pattern;
  const pattern = path === null ? undefined : patterns.find(fits);
  if (pattern) lines = await read(key + ':' + pattern);
  return headersIn(lines);
}

function headersIn(lines) {
  const headers = {};
  lines.split('\n').forEach((line) => {
    const colon = line.indexOf(': ');
    if (colon > 0 && line.charAt(0) !== '/')
      headers[line.slice(0, colon).toLowerCase()] = { value: line.slice(colon + 2) };
  });
  return headers;
}

// The value of a key; empty if it does not exist.
async function read(key) {
  try {
    const value = await store.get(key);
    return value;
  } catch (error) {
    return '';
  }
}

function hostnameOf(request) {
  const host = request.headers.host ? request.headers.host.value : '';
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

// The path decoded, absolute and normalized; null if it is malformed or leaves the root.
function meantPath(uri) {
  let decoded;
  try {
    decoded = decodeURIComponent(uri);
  } catch (error) {
    return null;
  }
  const names = [];
  const parts = decoded.split('/');
  for (let i = 0; i < parts.length; i += 1) {
    if (parts[i] === '..' && names.pop() === undefined) return null;
    if (parts[i] !== '' && parts[i] !== '.' && parts[i] !== '..') names.push(parts[i]);
  }
  const path = '/' + names.join('/');
  if (path.indexOf('\0') >= 0 || /(^|[\\/])\.\.([\\/]|$)/.test(path)) return null;
  return decoded.slice(-1) === '/' && names.length > 0 ? path + '/' : path;
}

// Every file of a blog has a dot in its name, and no folder has one.
function isFolder(path) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name !== '' && name !== '_headers' && name.indexOf('.') < 0;
}

// The blog's file for a path. Hidden files, and files for the edge only, count as missing.
function fileAt(path) {
  if (path === null || /\/\.[^/]/.test(path) || path.toLowerCase() === '/_headers') return '/.nothing';
  return path.slice(-1) === '/' ? path + 'index.html' : path;
}

// The requested path: viewer-response may see the URI as it was rewritten for the bucket.
function withoutFolder(uri, known) {
  const folder = known.folder + '/';
  if (!known.folder || uri.indexOf(folder) !== 0) return uri;
  return uri.slice(folder.length - 1).replace(/\/index\.html$/, '/');
}

function encoded(path) {
  return path.split('/').map(encodeURIComponent).join('/').replace(/\*/g, '%2A');
}

// A path must not start with two slashes: browsers would take it for another host.
function withoutSlashes(uri) {
  return printable(uri.replace(/^[/\\]+/, ''));
}

function queryOf(request) {
  const parts = [];
  const query = request.querystring;
  for (const name in query) {
    const values = query[name].multiValue || [query[name]];
    values.forEach((one) => parts.push(one.value === '' ? name : name + '=' + one.value));
  }
  return parts.length > 0 ? '?' + printable(parts.join('&')) : '';
}

// The query of a request comes before the fragment of the target, and after the query of the target.
function withQuery(target, query) {
  if (query === '') return target;
  const hash = target.indexOf('#');
  const address = hash < 0 ? target : target.slice(0, hash);
  const fragment = hash < 0 ? '' : target.slice(hash);
  return address + (address.indexOf('?') < 0 ? query : '&' + query.slice(1)) + fragment;
}

function printable(text) {
  return text.replace(/[^!-~]+/g, encodeURIComponent);
}

// Redirects must be revalidated: a missing page may appear, and a blog may return to its former host.
function lead(location, headers) {
  headers.location = { value: location };
  headers['cache-control'] = { value: MUST_ASK };
  return { statusCode: 301, statusDescription: 'Moved Permanently', headers: headers };
}

function answer(status, description, headers, type, text) {
  headers['content-type'] = { value: type };
  return { statusCode: status, statusDescription: description, headers: headers, body: text };
}
