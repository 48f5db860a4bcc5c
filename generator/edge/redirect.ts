/**
 * The beginning of a redirect page, and the text that replaces a moved post's Markdown file. User content cannot match:
 * an ordinary page has its title first (`document.svelte`), and a Markdown file its front matter (`source.ts`).
 */
const pagePattern =
  /^<!doctype html>\s*<html lang="[\w-]+" dir="(?:ltr|rtl)"><head><meta charset="utf-8"\/>\s*<meta http-equiv="refresh" content="0; url=([^"]*)"\/>/;
const textPattern = /^This post has moved to <([^<>]*)>\.\n$/;

/** Bytes to inspect: enough for the pattern with the longest possible post address. */
const INSPECTED_BYTES = 4_096;

/**
 * The target of a redirect file: an absolute http(s) URL in ASCII, so that an edge can answer with an HTTP redirect. Null
 * for every other file. Constant time: only the beginning of the file is inspected.
 */
export function redirectTargetOf(bytes: Uint8Array): string | null {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, INSPECTED_BYTES));
  const start = beginning.toString('utf8');
  const address = (pagePattern.exec(start) ?? textPattern.exec(start))?.[1]?.replaceAll('&amp;', '&');
  if (address === undefined || !URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return /^https?:$/.test(protocol) ? href : null;
}
