import { DomainError } from '../runtime/errors.ts';

/** A part of a form. */
export interface FormPart {
  readonly name: string;
  readonly filename: string | undefined;
  /** Media type in lower case, without parameters; empty where the part has none. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** No form of ours needs more; each costs time to take apart. */
const PARTS_MAX = 20;
const HEADERS_MAX_BYTES = 4_096;

const LINE_END = Buffer.from('\r\n');
const HEADERS_END = Buffer.from('\r\n\r\n');

/**
 * Takes a form apart (RFC 7578, RFC 2046). The platform's own `formData()` refuses what .NET and older Python clients
 * send (names without quotes, `filename*`), and takes seconds for a hostile form. Throws `bad_request`.
 */
export function parseForm(body: Buffer, contentType: string): FormPart[] {
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`, 'latin1');
  // The first delimiter may stand at the very beginning, where no line ends before it.
  const form = Buffer.concat([LINE_END, body]);
  const parts: FormPart[] = [];
  let start = afterDelimiter(form, delimiter, 0);
  while (!form.subarray(start, start + 2).equals(Buffer.from('--'))) {
    const end = form.indexOf(delimiter, start);
    if (end < 0) throw malformed('it is cut off');
    if (parts.length === PARTS_MAX) throw malformed(`it has more than ${PARTS_MAX} parts`);
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

/** A part from behind its delimiter to the next: the rest of the line, headers, an empty line, the content. */
function parsePart(part: Buffer): FormPart {
  const headersEnd = part.subarray(0, HEADERS_MAX_BYTES).indexOf(HEADERS_END);
  if (headersEnd < 0) throw malformed('a part has no headers, or too long ones');
  const headers = part.toString('utf8', 0, headersEnd).split('\r\n');
  if (headers[0]?.trim() !== '') throw malformed('something stands behind its boundary');
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
