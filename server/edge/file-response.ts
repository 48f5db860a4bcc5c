import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type ByteRange, evaluateConditions, type Validators } from './conditions.ts';
import { createCompressor, type Encoding } from './encodings.ts';
import type { OpenFile } from './open-file.ts';

/** Alternating names and values, which Node writes unchanged. */
export type RawHeaders = string[];

/** Response for a file, without its bytes. */
export interface FileResponse extends Validators {
  /** Headers of a 200, with `Content-Length` if the size is known. */
  readonly headers: RawHeaders;
  /** Bytes; null if the size is unknown because the file is compressed while it is sent. */
  readonly size: number | null;
}

/** Responds to a GET or HEAD with a file that is in memory. */
export function respondWithBytes(
  req: IncomingMessage,
  res: ServerResponse,
  response: FileResponse,
  bytes: Buffer,
): void {
  const part = writeHead(req, res, response);
  if (part === 'nothing') res.end();
  else res.end(part === 'whole' ? bytes : bytes.subarray(part.start, part.end + 1));
}

/** Responds to a GET or HEAD with an open file, and closes it. Resolves when it is sent or the client disconnects. */
export async function respondWithFile(
  req: IncomingMessage,
  res: ServerResponse,
  response: FileResponse,
  { file: { handle, stats }, encoding = 'identity' }: { file: OpenFile; encoding?: Encoding | 'identity' },
): Promise<void> {
  let part: ReturnType<typeof writeHead>;
  try {
    part = writeHead(req, res, response);
  } catch (error) {
    await handle.close();
    throw error;
  }
  if (part === 'nothing' || stats.size === 0) {
    res.end();
    return handle.close();
  }
  const range = part === 'whole' ? { start: 0, end: stats.size - 1 } : part;
  const bytes = handle.createReadStream(range);
  const sent =
    encoding === 'identity' ? pipeline(bytes, res) : pipeline(bytes, createCompressor(encoding), res);
  // If the client disconnects, there is nothing to report.
  await sent.catch(() => res.destroy());
}

/** Writes the status and headers; returns which part of the file must follow. */
function writeHead(
  req: IncomingMessage,
  res: ServerResponse,
  response: FileResponse,
): ByteRange | 'whole' | 'nothing' {
  const { headers, size } = response;
  const verdict = evaluateConditions(req, response, size);
  switch (verdict) {
    case 'whole':
      res.writeHead(200, headers);
      return req.method === 'HEAD' ? 'nothing' : 'whole';
    case 'not modified':
      res.writeHead(304, without(headers, contentHeaders));
      return 'nothing';
    case 'precondition failed':
      res.writeHead(412, [...without(headers, representationHeaders), 'Content-Length', '0']);
      return 'nothing';
    case 'no such part':
      res.writeHead(416, [
        ...without(headers, representationHeaders),
        ...['Content-Range', `bytes */${size}`, 'Content-Length', '0'],
      ]);
      return 'nothing';
    default: {
      const { start, end } = verdict;
      const length = String(end - start + 1);
      res.writeHead(206, [
        ...without(headers, /^content-length$/i),
        ...['Content-Range', `bytes ${start}-${end}/${size}`, 'Content-Length', length],
      ]);
      return verdict;
    }
  }
}

/** Headers of the body, which a response without a body must not have. */
const contentHeaders = /^content-(?:length|type|encoding)$/i;
/** The same, and the headers of caching and validation. */
const representationHeaders = /^(?:content-(?:length|type|encoding)|cache-control|last-modified|etag)$/i;

const without = (headers: RawHeaders, names: RegExp): RawHeaders =>
  headers.filter((_, i) => !names.test(headers[i - (i % 2)] ?? ''));
