import type { IncomingMessage, ServerResponse } from 'node:http';

const errorPages = {
  404: plainPage('Not found', 'There is no blog here'),
  500: plainPage('Not readable', 'This page cannot be shown at the moment'),
};

type Headers = ReadonlyMap<string, string>;

/** Responds with a built-in error page, if there is no blog page for it. */
export function respondWithHtml(
  req: IncomingMessage,
  res: ServerResponse,
  status: keyof typeof errorPages,
  headers: Headers,
): void {
  const html = errorPages[status];
  const own = ['Content-Type', 'text/html; charset=utf-8', 'Content-Length', String(Buffer.byteLength(html))];
  res.writeHead(status, [...[...headers].flat(), ...own]).end(req.method === 'HEAD' ? undefined : html);
}

/** Responds with a 301. Conditions and ranges are ignored: they apply only to a 200 (RFC 9110, 13.2.1). */
export function respondWithRedirect(
  req: IncomingMessage,
  res: ServerResponse,
  { location, cacheControl }: { location: string; cacheControl: string },
  headers: Headers,
): void {
  const text = `This page has moved to ${location}\n`;
  const own = [
    ...['Location', location, 'Cache-Control', cacheControl],
    ...['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(Buffer.byteLength(text))],
  ];
  res.writeHead(301, [...[...headers].flat(), ...own]).end(req.method === 'HEAD' ? undefined : text);
}

export function respondMethodNotAllowed(res: ServerResponse, headers: Headers): void {
  const own = ['Allow', 'GET, HEAD', 'Content-Type', 'text/plain; charset=utf-8'];
  res.writeHead(405, [...[...headers].flat(), ...own]).end('A blog is read with GET or HEAD.\n');
}

/** A minimal HTML page with one heading; follows the device's colour scheme and width. */
export function plainPage(title: string, heading: string): string {
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<meta name="color-scheme" content="light dark"><title>${title}</title><h1>${heading}</h1></html>\n`
  );
}
