import { imagePathIn, MEDIA_FOLDER, MEDIA_SCHEME } from '../../generator/edge-paths.ts';
import { escapeText } from '../../generator/markdown/text/plain-text.ts';
import { isReference } from '../addresses/image-addresses.ts';
import { mediaPathInText } from '../image-processing/image.ts';
import { MAX_URL } from '../wire/text.ts';

/*
 * References to uploaded images (`platen-media:/<blog id>/<file>`), which the database has instead of addresses. A
 * reference becomes the address of today whenever something is shown, so moving the service or its images changes no
 * post. `mediaUrl` is the URL of uploaded images, without a trailing slash.
 */

/** The path below the media folder (`/<blog id>/<file>`) of a file with an edge path. */
export const belowMediaFolder = (edgePath: string): string => edgePath.slice(MEDIA_FOLDER.length - 1);

/** The reference to the file with an edge path. */
export const referenceTo = (edgePath: string): string => MEDIA_SCHEME + belowMediaFolder(edgePath);

/** The address of the file with an edge path. */
export const mediaAddress = (edgePath: string, mediaUrl: string): string =>
  mediaUrl + belowMediaFolder(edgePath);

/** The path below the media folder that a reference, or an address of any time, leads to; null for every other text. */
export const mediaPathIn = (address: string): string | null =>
  isReference(address) ? address.slice(MEDIA_SCHEME.length) : imagePathIn(address);

const TAG_WITH_ADDRESS = /<(?:a|img|source) [^>]*>/g;
const REFERENCE = new RegExp(` (?:src|href)="${MEDIA_SCHEME}| srcset="[^"]*"`, 'g');
const CANDIDATE = new RegExp(`( srcset="|, )${MEDIA_SCHEME}`, 'g');

/**
 * A post's stored HTML with addresses of today. Reads its canonical form (see sanitise.ts), in which neither text nor
 * the value of another attribute can look like a reference in `href`, `src` or `srcset`.
 */
export function resolveHtml(html: string, mediaUrl: string): string {
  if (!html.includes(MEDIA_SCHEME)) return html;
  const url = escapeText(mediaUrl);
  const resolve = (part: string): string =>
    part.startsWith(' srcset')
      ? part.replace(CANDIDATE, (_, before: string) => before + url)
      : part.slice(0, -MEDIA_SCHEME.length) + url;
  return html.replace(TAG_WITH_ADDRESS, (tag) =>
    tag.includes(MEDIA_SCHEME) ? tag.replace(REFERENCE, resolve) : tag,
  );
}

/** Characters that end an address in Markdown or in raw HTML. */
const DELIMITER = /[\s"'<>()[\]{}|\\^`]/;

/** What follows a path in the address of something else. A full stop may end a sentence. */
const CONTINUED = /^(?:[?#/]|\.\w)/;

/**
 * A post's Markdown with addresses of today for the images at `paths` (below the media folder), on whatever host its
 * author names them.
 */
export function resolveMarkdown(source: string, paths: readonly string[], mediaUrl: string): string {
  if (paths.length === 0) return source;
  const known = new Set(paths);
  let resolved = '';
  let end = 0;
  for (const { 0: path, index } of source.matchAll(mediaPathInText)) {
    const isLonger = CONTINUED.test(source.slice(index + path.length, index + path.length + 2));
    const start = known.has(path) && !isLonger ? findAddressStart(source, end, index, path) : null;
    if (start === null) continue;
    resolved += source.slice(end, start) + mediaUrl + path;
    end = index + path.length;
  }
  return resolved + source.slice(end);
}

/** Where the address begins whose path begins at `index`; null if it is none, as in a query of another address. */
function findAddressStart(source: string, from: number, index: number, path: string): number | null {
  let start = index;
  // No address is longer, so looking for its beginning takes bounded time.
  const first = Math.max(from, index - MAX_URL);
  while (start > first && !DELIMITER.test(source.charAt(start - 1))) start -= 1;
  const text = source.slice(start, index);
  // In an unquoted attribute, the name stands before the address.
  const [before = ''] = /^[\w-]*=|^/.exec(text) ?? [];
  return imagePathIn(text.slice(before.length) + path) === path ? start + before.length : null;
}
