/**
 * How a page begins that does nothing but send its readers on, and what stands in the place of a post's Markdown. So
 * early in a file is nothing that people write: in a page comes the title before it (`document.svelte`), in Markdown
 * front matter (`source.ts`).
 */
const page =
  /^<!doctype html>\s*<html lang="en" dir="ltr"><head><meta charset="utf-8"\/>\s*<meta http-equiv="refresh" content="0; url=([^"]*)"\/>/;
const text = /^This post has moved to <([^<>]*)>\.\n$/;

/** More than the beginning takes, with the longest address that a post may have. */
const BEGINNING = 4_096;

/**
 * The absolute address to which a file of a blog does nothing but lead, in ASCII, so that an edge which can may answer
 * with a redirect of its own instead; null for every other file. It takes no longer for a large one.
 */
export function redirectOf(bytes: Uint8Array): string | null {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, BEGINNING));
  const read = beginning.toString('utf8');
  const address = (page.exec(read) ?? text.exec(read))?.[1]?.replaceAll('&amp;', '&');
  if (address === undefined || !URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return /^https?:$/.test(protocol) ? href : null;
}
