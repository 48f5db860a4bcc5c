import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

/** How a file is compressed on its way, the better first. */
const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** Less does not get smaller, or would not be worth it. */
const WORTHWHILE_BYTES = 256;

/** Whether a file of this media type and size gets smaller by being compressed. */
export const isCompressible = (type: string, size: number): boolean =>
  size >= WORTHWHILE_BYTES && /^text\/|[/+](?:json|xml)\b/.test(type);

/** Browsers send a handful of these. */
const chosen = new LRUCache<string, Encoding | 'identity'>({ max: 100, maxSize: 10_000 });

/** The best of what an `Accept-Encoding` takes (RFC 9110, section 12.5.3); as it is where that is not to be had. */
export function chooseEncoding(accepted: string | undefined): Encoding | 'identity' {
  if (accepted === undefined) return 'identity';
  const known = chosen.get(accepted);
  if (known) return known;
  const encoding = choose(accepted);
  chosen.set(accepted, encoding, { size: accepted.length + 1 });
  return encoding;
}

function choose(accepted: string): Encoding | 'identity' {
  const qualities = new Map(accepted.toLowerCase().split(',').map(qualityOf));
  const quality = (encoding: string) => qualities.get(encoding) ?? qualities.get('*') ?? 0;
  const best = encodings.toSorted((a, b) => quality(b) - quality(a))[0] ?? 'br';
  // Who does not mention it takes it where there is nothing else.
  return quality(best) > 0 && quality(best) >= (qualities.get('identity') ?? 0) ? best : 'identity';
}

function qualityOf(part: string): [encoding: string, quality: number] {
  const [encoding = '', ...parameters] = part.split(';').map((text) => text.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [encoding, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}

/** For files that are kept and sent many times. */
const BROTLI_QUALITY = 6;
/** For files that are compressed each time that they are sent. */
const BROTLI_QUALITY_ON_THE_FLY = 4;

const brotli = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);

/** In a thread of zlib's. */
export async function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  const small = await (encoding === 'br' ? brotlied(bytes, brotli(BROTLI_QUALITY)) : gzipped(bytes));
  // zlib's result holds a whole chunk, however small it is.
  const exact = Buffer.allocUnsafeSlow(small.length);
  small.copy(exact);
  return exact;
}

export const createCompressor = (encoding: Encoding): Transform =>
  encoding === 'br' ? createBrotliCompress(brotli(BROTLI_QUALITY_ON_THE_FLY)) : createGzip();
