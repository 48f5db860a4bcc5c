import type { IncomingMessage } from 'node:http';
import { matchesEtag } from '../http/etag.ts';

/** Validators of a representation, for conditional requests. */
export interface Validators {
  readonly etag: string;
  /** In the format of `Last-Modified`. */
  readonly modified: string;
}

/** A byte range; `end` is inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export type ConditionResult = 'whole' | 'not modified' | 'precondition failed' | 'no such part' | ByteRange;

/**
 * Evaluates the conditions and the range of a GET or HEAD (RFC 9110, sections 13.2.2 and 14.2). A request for several
 * ranges gets the whole file. `size` is null if ranges are not supported.
 */
export function evaluateConditions(
  req: IncomingMessage,
  validators: Validators,
  size: number | null,
): ConditionResult {
  const { headers } = req;
  if (failsPrecondition(headers, validators)) return 'precondition failed';
  if (isNotModified(headers, validators)) return 'not modified';
  if (headers.range === undefined || size === null || req.method !== 'GET') return 'whole';
  if (!ifRangeHolds(headers['if-range'], validators)) return 'whole';
  return parseRange(headers.range, size);
}

/** Parses a `Range`. One with another unit, with several ranges or invalid is ignored. */
function parseRange(range: string, size: number): ByteRange | 'whole' | 'no such part' {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(range) ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') return satisfiable(Math.max(0, size - Number(last)), size - 1);
  if (last !== '' && Number(last) < Number(first)) return 'whole';
  return satisfiable(Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1));
}

const satisfiable = (start: number, end: number): ByteRange | 'no such part' =>
  start > end ? 'no such part' : { start, end };

type Headers = IncomingMessage['headers'];

function failsPrecondition(headers: Headers, { etag, modified }: Validators): boolean {
  const match = headers['if-match'];
  if (match !== undefined) return !matchesEtag(match, etag);
  const since = headers['if-unmodified-since'];
  return since !== undefined && Date.parse(modified) > Date.parse(since);
}

function isNotModified(headers: Headers, { etag, modified }: Validators): boolean {
  const none = headers['if-none-match'];
  if (none !== undefined) return matchesEtag(none, etag);
  const since = headers['if-modified-since'];
  return since !== undefined && Date.parse(modified) <= Date.parse(since);
}

/** Whether `If-Range` holds; it needs a strong match. */
const ifRangeHolds = (condition: string | string[] | undefined, { etag, modified }: Validators): boolean =>
  condition === undefined || condition === etag || condition === modified;
