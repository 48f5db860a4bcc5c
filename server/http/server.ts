import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** How long a client may take to send the head of a request, and all of it. */
const HEADERS_MS = 30_000;
const REQUEST_MS = 120_000;

export interface HostRouter {
  /** Passes a request for the API to `next`, and answers every other one. */
  handle(req: IncomingMessage, res: ServerResponse, next: () => void): void;
}

/** One port for everything: the host of a request decides whether the app answers it. */
export function createHttpServer(hosts: HostRouter, app: Express): Server {
  // The router judges the host itself, and needs every field for it. Node bounds their bytes, so it need not cut off
  // those behind the thousandth, of which another `Host` might be one.
  const options = { ...messagesOf(app), requireHostHeader: false };
  const server = createServer(options, (req, res) => hosts.handle(req, res, () => app(req, res)));
  server.maxHeadersCount = 0;
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  return server;
}

/**
 * Requests and responses that have the app's prototypes from the beginning. It would give them these at every request
 * otherwise, which V8 is so slow at, also in freeing them later, that a plain route takes four times as long.
 */
function messagesOf(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/**
 * Listens at an IP address or `localhost`, or at every address of the machine, and resolves to the port. Rejects with an
 * error that is fit for the operator.
 */
export const listen = (server: Server, port: number, host?: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new Error(reasonOf(error, port, host), { cause: error })));
    server.listen({ port, host }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });

function reasonOf(error: Error, port: number, host?: string): string {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    const at = host === undefined ? '' : ` at ${host}`;
    return `port ${port} is in use${at}: stop what listens there, or set PORT to another one`;
  }
  if (code === 'EACCES') {
    return `port ${port} is not open to this user: set PORT to 1024 or more, and have a proxy lead there`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' || code === 'ENOTFOUND' || code === 'EINVAL') {
    return `PLATEN_LISTEN: this machine does not have the address ${host}`;
  }
  return error.message;
}

/** How long those whom we are answering may take before they are cut off. */
const GRACE_MS = 3_000;

/** Takes no more requests; resolves when those under way are answered, or have had their time. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.close(() => {
      clearTimeout(cutOff);
      resolve();
    });
    server.closeIdleConnections();
  });
