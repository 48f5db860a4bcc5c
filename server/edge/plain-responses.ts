import type { IncomingMessage, ServerResponse } from 'node:http';
import { escapeText } from '../../generator/markdown/text/plain-text.ts';

type Headers = ReadonlyMap<string, string>;

/** Responds with a built-in error page, if there is no blog page for it. */
export type RespondWithHtml = (
  req: IncomingMessage,
  res: ServerResponse,
  status: 404 | 500,
  headers: Headers,
) => void;

/** `publicUrl`: where readers learn which server this is. */
export function createErrorPages(publicUrl: string): RespondWithHtml {
  const server = `<a href="${escapeText(publicUrl)}/">the page of this server</a>`;
  const pages = {
    404: plainPage('Not found', 'There is no blog here', `Check the name in the address, or see ${server}.`),
    500: plainPage(
      'Not readable',
      'This page cannot be shown at the moment',
      'Please try again in a minute.',
    ),
  };
  return (req, res, status, headers) => {
    const html = pages[status];
    const own = ['Content-Type', 'text/html; charset=utf-8', 'Content-Length', `${Buffer.byteLength(html)}`];
    res.writeHead(status, [...[...headers].flat(), ...own]).end(req.method === 'HEAD' ? undefined : html);
  };
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

/** In the theme's manner, and with a style sheet of its own: there is no blog whose file it could use. */
const STYLE =
  ':root{color-scheme:light dark;font:1.125rem/1.6 "Noto Serif",Georgia,serif}' +
  'body{max-width:34rem;margin:0 auto;padding:16vh 1.5rem 2rem}h1{font-size:1.75rem;line-height:1.25;margin:0 0 .75rem}' +
  'p{margin:0}a{color:inherit}';

/** A small HTML page with a heading and a sentence (HTML); follows the device's colour scheme and width. */
export function plainPage(title: string, heading: string, sentence: string): string {
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>${title}</title><style>${STYLE}</style><h1>${heading}</h1><p>${sentence}</p></html>\n`
  );
}
