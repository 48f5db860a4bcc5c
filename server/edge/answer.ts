import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { judge, type Part, type Validators } from './conditions.ts';
import { createCompressor, type Encoding } from './encodings.ts';
import type { OpenFile } from './open-file.ts';

/** Names and values in turns, which Node writes as they stand. */
export type RawHeaders = string[];

/** A file as somebody is to get it, but for its bytes. */
export interface Answer extends Validators {
  /** Those of the answer that has it whole, its length among them where that is known. */
  readonly headers: RawHeaders;
  /** Null where it is only known when all of it is sent. */
  readonly size: number | null;
}

/** Answers a request to read with a file that is in memory. */
export function answerWithBytes(
  req: IncomingMessage,
  res: ServerResponse,
  answer: Answer,
  bytes: Buffer,
): void {
  const part = begin(req, res, answer);
  if (part === 'nothing') res.end();
  else res.end(part === 'whole' ? bytes : bytes.subarray(part.start, part.end + 1));
}

/** Answers a request to read with a file that is open, and closes it. Resolves when the reader has it, or has gone. */
export async function answerWithFile(
  req: IncomingMessage,
  res: ServerResponse,
  answer: Answer,
  { file: { handle, stats }, encoding = 'identity' }: { file: OpenFile; encoding?: Encoding | 'identity' },
): Promise<void> {
  let part: ReturnType<typeof begin>;
  try {
    part = begin(req, res, answer);
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
  // A reader who goes away has nothing to be told.
  await sent.catch(() => res.destroy());
}

/** Writes the head of the answer, and says what of the file is to follow it. */
function begin(req: IncomingMessage, res: ServerResponse, answer: Answer): Part | 'whole' | 'nothing' {
  const { headers, size } = answer;
  const verdict = judge(req, answer, size);
  switch (verdict) {
    case 'whole':
      res.writeHead(200, headers);
      return req.method === 'HEAD' ? 'nothing' : 'whole';
    case 'not modified':
      res.writeHead(304, without(headers, ofContent));
      return 'nothing';
    case 'precondition failed':
      res.writeHead(412, [...without(headers, ofWhole), 'Content-Length', '0']);
      return 'nothing';
    case 'no such part':
      res.writeHead(416, [
        ...without(headers, ofWhole),
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

/** Headers that say something of bytes, where there are none. */
const ofContent = /^content-(?:length|type|encoding)$/i;
/** And those that say what may be done with them. */
const ofWhole = /^(?:content-(?:length|type|encoding)|cache-control|last-modified|etag)$/i;

const without = (headers: RawHeaders, names: RegExp): RawHeaders =>
  headers.filter((_, i) => !names.test(headers[i - (i % 2)] ?? ''));
