import type { IncomingMessage } from 'node:http';
import { holdsEtag } from '../http/etag.ts';

/** Validators of a representation, for conditional requests. */
export interface Validators {
  readonly etag: string;
  /** In the format of `Last-Modified`. */
  readonly modified: string;
}

/** A byte range; `end` is inclusive. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

export type Verdict = 'whole' | 'not modified' | 'precondition failed' | 'no such part' | Part;

/**
 * Evaluates the conditions and the range of a GET or HEAD (RFC 9110, sections 13.2.2 and 14.2). A request for several
 * ranges gets the whole file. `size` is null if ranges are not supported.
 */
export function judge(req: IncomingMessage, validators: Validators, size: number | null): Verdict {
  const { headers } = req;
  if (isRefused(headers, validators)) return 'precondition failed';
  if (isKnown(headers, validators)) return 'not modified';
  if (headers.range === undefined || size === null || req.method !== 'GET') return 'whole';
  if (!isCurrent(headers['if-range'], validators)) return 'whole';
  return partOf(headers.range, size);
}

/** Parses a `Range`. One with another unit, with several ranges or invalid is ignored. */
function partOf(range: string, size: number): Part | 'whole' | 'no such part' {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(range) ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') return within(Math.max(0, size - Number(last)), size - 1);
  if (last !== '' && Number(last) < Number(first)) return 'whole';
  return within(Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1));
}

const within = (start: number, end: number): Part | 'no such part' =>
  start > end ? 'no such part' : { start, end };

type Headers = IncomingMessage['headers'];

function isRefused(headers: Headers, { etag, modified }: Validators): boolean {
  const match = headers['if-match'];
  if (match !== undefined) return !holdsEtag(match, etag);
  const since = headers['if-unmodified-since'];
  return since !== undefined && Date.parse(modified) > Date.parse(since);
}

function isKnown(headers: Headers, { etag, modified }: Validators): boolean {
  const none = headers['if-none-match'];
  if (none !== undefined) return holdsEtag(none, etag);
  const since = headers['if-modified-since'];
  return since !== undefined && Date.parse(modified) <= Date.parse(since);
}

/** Whether `If-Range` holds; it needs a strong match. */
const isCurrent = (condition: string | string[] | undefined, { etag, modified }: Validators): boolean =>
  condition === undefined || condition === etag || condition === modified;
