import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** Time limits for a client to send the headers of a request, and the whole request. */
const HEADERS_TIMEOUT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 120_000;

export interface HostRouter {
  /** Passes a request for the API to `next`, and answers every other one. */
  handle(req: IncomingMessage, res: ServerResponse, next: () => void): void;
}

/** One server for the API and the blogs: the host of a request decides whether the app handles it. */
export function createHttpServer(hosts: HostRouter, app: Express): Server {
  // The router checks the host itself and needs every header field. By default Node drops every field after the
  // thousandth, and a second `Host` could be among them. Node limits the bytes of the headers anyway.
  const options = { ...messageClassesOf(app), requireHostHeader: false };
  const server = createServer(options, (req, res) => hosts.handle(req, res, () => app(req, res)));
  server.maxHeadersCount = 0;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  return server;
}

/**
 * Request and response classes that already have the app's prototypes. Otherwise Express changes the prototypes at
 * every request, which V8 handles so slowly (garbage collection included) that a trivial route takes four times as
 * long.
 */
export function messageClassesOf(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/**
 * Listens on an IP address or `localhost`, or on every address of the machine if `host` is undefined, and resolves to
 * the port. Rejects with an error whose message tells the operator what to do.
 */
export const listen = (server: Server, port: number, host?: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new Error(listenErrorMessage(error, port, host), { cause: error })),
    );
    server.listen({ port, host }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });

function listenErrorMessage(error: Error, port: number, host?: string): string {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    const at = host === undefined ? '' : ` at ${host}`;
    return `port ${port} is in use${at}: stop the process that listens on it, or set PORT to another port`;
  }
  if (code === 'EACCES') {
    return `this user may not listen on port ${port}: set PORT to 1024 or more, and have a proxy forward to it`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' || code === 'ENOTFOUND' || code === 'EINVAL') {
    return `PLATEN_LISTEN: this machine does not have the address ${host}`;
  }
  return error.message;
}

/** Time for requests in flight to finish before their connections are closed. */
const GRACE_MS = 3_000;

/** Stops accepting requests. Resolves when those in flight are answered, or `GRACE_MS` is over. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const timeout = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.close(() => {
      clearTimeout(timeout);
      resolve();
    });
    server.closeIdleConnections();
  });
