import { DomainError } from '../runtime/errors.ts';

/** A part of a `multipart/form-data` body. */
export interface FormPart {
  readonly name: string;
  readonly filename: string | undefined;
  /** Media type in lower case, without parameters; empty if the part has none. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** More than any form of the API needs; every part costs time to parse. */
const MAX_PARTS = 20;
const HEADERS_MAX_BYTES = 4_096;

const LINE_END = Buffer.from('\r\n');
const HEADERS_END = Buffer.from('\r\n\r\n');

/**
 * Parses a form (RFC 7578, RFC 2046). Throws `bad_request`. The platform's own `formData()` rejects the forms of .NET
 * and older Python clients (names without quotes, `filename*`) and takes seconds for a hostile form.
 */
export function parseForm(body: Buffer, contentType: string): FormPart[] {
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`, 'latin1');
  // The first delimiter may start the body, without a preceding line break.
  const form = Buffer.concat([LINE_END, body]);
  const parts: FormPart[] = [];
  let start = afterDelimiter(form, delimiter, 0);
  while (!form.subarray(start, start + 2).equals(Buffer.from('--'))) {
    const end = form.indexOf(delimiter, start);
    if (end < 0) throw malformed('it is truncated');
    if (parts.length === MAX_PARTS) throw malformed(`it has more than ${MAX_PARTS} parts`);
    parts.push(parsePart(form.subarray(start, end)));
    start = end + delimiter.length;
  }
  return parts;
}

function boundaryOf(contentType: string): string {
  const [, quoted, bare] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))(?=\s*(?:;|$))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) throw malformed('its Content-Type names no boundary');
  return boundary;
}

function afterDelimiter(form: Buffer, delimiter: Buffer, from: number): number {
  const found = form.indexOf(delimiter, from);
  if (found < 0) throw malformed('its boundary does not occur');
  return found + delimiter.length;
}

/** Parses what follows a delimiter up to the next one: the rest of the line, headers, an empty line, the content. */
function parsePart(part: Buffer): FormPart {
  const headersEnd = part.subarray(0, HEADERS_MAX_BYTES).indexOf(HEADERS_END);
  if (headersEnd < 0) throw malformed('the headers of a part are missing or too long');
  const headers = part.toString('utf8', 0, headersEnd).split('\r\n');
  if (headers[0]?.trim() !== '') throw malformed('there is text after a boundary');
  const disposition = headerOf(headers, 'content-disposition');
  const name = parameterOf(disposition, 'name');
  if (!/^form-data\s*;/i.test(disposition) || name === undefined) throw malformed('a part has no name');
  return {
    name,
    filename: parameterOf(disposition, 'filename'),
    type: (headerOf(headers, 'content-type').split(';')[0] ?? '').trim().toLowerCase(),
    bytes: part.subarray(headersEnd + HEADERS_END.length),
  };
}

function headerOf(headers: readonly string[], name: string): string {
  const header = headers.find((line) => line.toLowerCase().startsWith(`${name}:`)) ?? '';
  return header.slice(name.length + 1).trim();
}

function parameterOf(disposition: string, name: string): string | undefined {
  const [, quoted, bare] = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;"]*))`, 'i').exec(disposition) ?? [];
  return quoted ?? bare;
}

const malformed = (reason: string) => new DomainError('bad_request', `the form is malformed: ${reason}`);
