import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

/** Content codings, best first. */
const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** Smaller files gain nothing, or too little, from compression. */
const COMPRESSIBLE_MIN_BYTES = 256;

/** Whether compression makes sense for a file of this media type and size. */
export const isCompressible = (type: string, size: number): boolean =>
  size >= COMPRESSIBLE_MIN_BYTES && /^text\/|[/+](?:json|xml)\b/.test(type);

/** Choice by `Accept-Encoding` value; browsers send only a handful of these. */
const choices = new LRUCache<string, Encoding | 'identity'>({ max: 100, maxSize: 10_000 });

/** The best coding that an `Accept-Encoding` accepts (RFC 9110, section 12.5.3), otherwise `identity`. */
export function chooseEncoding(accepted: string | undefined): Encoding | 'identity' {
  if (accepted === undefined) return 'identity';
  const known = choices.get(accepted);
  if (known) return known;
  const encoding = choose(accepted);
  choices.set(accepted, encoding, { size: accepted.length + 1 });
  return encoding;
}

function choose(accepted: string): Encoding | 'identity' {
  const qualities = new Map(accepted.toLowerCase().split(',').map(qualityOf));
  const quality = (encoding: string) => qualities.get(encoding) ?? qualities.get('*') ?? 0;
  const best = encodings.toSorted((a, b) => quality(b) - quality(a))[0] ?? 'br';
  // An `Accept-Encoding` that does not mention `identity` accepts it with the lowest preference.
  return quality(best) > 0 && quality(best) >= (qualities.get('identity') ?? 0) ? best : 'identity';
}

function qualityOf(part: string): [encoding: string, quality: number] {
  const [encoding = '', ...parameters] = part.split(';').map((text) => text.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [encoding, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}

/** For cached files, which are compressed once and sent many times. */
const BROTLI_QUALITY = 6;
/** For files that are compressed for each response. */
const BROTLI_QUALITY_ON_THE_FLY = 4;

const brotli = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Compresses in the libuv thread pool. */
export async function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  const small = await (encoding === 'br' ? brotliAsync(bytes, brotli(BROTLI_QUALITY)) : gzipAsync(bytes));
  // zlib's result keeps a whole chunk alive, however small it is.
  const exact = Buffer.allocUnsafeSlow(small.length);
  small.copy(exact);
  return exact;
}

export const createCompressor = (encoding: Encoding): Transform =>
  encoding === 'br' ? createBrotliCompress(brotli(BROTLI_QUALITY_ON_THE_FLY)) : createGzip();
