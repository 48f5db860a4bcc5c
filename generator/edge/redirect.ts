/**
 * The beginning of a redirect page, and the text that replaces a moved post's Markdown file. User content cannot match:
 * an ordinary page has its title first (`document.svelte`), and a Markdown file its front matter (`source.ts`).
 */
const pagePattern =
  /^<!doctype html>\s*<html lang="[\w-]+" dir="(?:ltr|rtl)"><head><meta charset="utf-8"\/>\s*<meta http-equiv="refresh" content="0; url=([^"]*)"\/>/;
const textPattern = /^This post has moved to <([^<>]*)>\.\n$/;

/** Bytes to inspect: enough for the pattern with the longest possible target, in which every character is escaped. */
const INSPECTED_BYTES = 16_384;

/**
 * The target of a redirect file: an absolute http(s) URL in ASCII, so that an edge can answer with an HTTP redirect.
 * Null for every other file. Constant time: only the beginning of the file is inspected.
 */
export function redirectTargetOf(bytes: Uint8Array): string | null {
  const start = beginningOf(bytes);
  const address = (pagePattern.exec(start) ?? textPattern.exec(start))?.[1]?.replaceAll('&amp;', '&');
  if (address === undefined || !URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return /^https?:$/.test(protocol) ? href : null;
}

/** Whether a redirect file is a page, whatever the extension of its path. */
export const isRedirectPage = (bytes: Uint8Array): boolean => pagePattern.test(beginningOf(bytes));

const beginningOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, INSPECTED_BYTES)).toString('utf8');

/** Adds the query of a request (empty, or with its question mark) to the target of a redirect, before its fragment. */
export function withQuery(target: string, query: string): string {
  if (query.length <= 1) return target;
  const at = target.indexOf('#');
  const [address, fragment] = at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at)];
  return address + (address.includes('?') ? `&${query.slice(1)}` : query) + fragment;
}
