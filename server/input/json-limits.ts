import { DomainError } from '../runtime/errors.ts';

/** Limits far above any body of the API. */
const MAX_DEPTH = 64;
const MAX_ITEMS = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Throws `bad_request` for JSON (UTF-8) that is nested too deeply or has too many fields and items. Parsing six
 * megabytes of brackets blocks the thread for seconds; this scan takes milliseconds.
 */
export function assertJsonLimits(json: Uint8Array): void {
  let depth = 0;
  let items = 0;
  let inString = false;
  for (let offset = 0; offset < json.length; offset++) {
    const byte = json[offset] ?? 0;
    if (inString) {
      if (byte === BACKSLASH) offset += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === COMMA || byte === COLON) items += 1;
    else if (OPENING.has(byte)) {
      items += 1;
      depth += 1;
    } else if (CLOSING.has(byte)) depth -= 1;
    if (depth > MAX_DEPTH)
      throw new DomainError('bad_request', `the body must not be nested deeper than ${MAX_DEPTH} levels`);
    if (items > MAX_ITEMS)
      throw new DomainError('bad_request', `the body must have at most ${MAX_ITEMS} fields and items`);
  }
}
