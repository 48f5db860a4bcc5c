import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';

/** An Express request as a web one, without its body. It is aborted when the client disconnects. */
export function toWebRequest(req: ExpressRequest, res: ExpressResponse): Request {
  const disconnected = new AbortController();
  res.once('close', () => disconnected.abort());
  return new Request(`http://localhost${req.originalUrl}`, {
    method: req.method,
    headers: Object.entries(req.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
    signal: disconnected.signal,
  });
}

/** Streams a web response to the client. Also resolves if the client disconnects early. */
export async function sendResponse(response: Response, res: ExpressResponse): Promise<void> {
  res.status(response.status);
  for (const [name, value] of response.headers) res.append(name, value);
  if (response.body === null) return void res.end();
  try {
    await pipeline(Readable.fromWeb(response.body), res);
  } catch (error) {
    if (!res.destroyed) throw error;
  }
}
