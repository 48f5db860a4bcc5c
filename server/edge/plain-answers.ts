import type { IncomingMessage, ServerResponse } from 'node:http';

const pages = {
  404: plainPage('Not found', 'There is no blog here'),
  500: plainPage('Not readable', 'This page cannot be shown at the moment'),
};

type Headers = ReadonlyMap<string, string>;

/** Answers with a page of our own, where a blog has none. */
export function answerHtml(
  req: IncomingMessage,
  res: ServerResponse,
  status: keyof typeof pages,
  headers: Headers,
): void {
  const html = pages[status];
  const own = ['Content-Type', 'text/html; charset=utf-8', 'Content-Length', String(Buffer.byteLength(html))];
  res.writeHead(status, [...[...headers].flat(), ...own]).end(req.method === 'HEAD' ? undefined : html);
}

/** Leads on for good, whatever is asked of the page: conditions and parts are of what is there (RFC 9110, 13.2.1). */
export function answerMoved(
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

export function refuseMethod(res: ServerResponse, headers: Headers): void {
  const own = ['Allow', 'GET, HEAD', 'Content-Type', 'text/plain; charset=utf-8'];
  res.writeHead(405, [...[...headers].flat(), ...own]).end('A blog is read with GET or HEAD.\n');
}

/** A page that says one thing, in the colours and the size that a reader's device asks for. */
export function plainPage(title: string, heading: string): string {
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<meta name="color-scheme" content="light dark"><title>${title}</title><h1>${heading}</h1></html>\n`
  );
}
