import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { contentTypeOf } from '../../generator/edge/content-type.ts';
import type { HeaderRules } from '../../generator/edge/header-rules.ts';
import { redirectTargetOf } from '../../generator/edge/redirect.ts';
import { cacheUnlessRejected } from '../../generator/workers/memoised.ts';
import { compress, type Encoding, isCompressible } from './encodings.ts';
import type { Grow } from './file-cache.ts';
import type { FileResponse } from './file-response.ts';

/** One version of a blog's file, with its compressed forms. */
export interface PageFile {
  readonly type: string;
  /** Redirect target, if the file is a redirect. */
  readonly redirectTarget: string | null;
  /** In the format of `Last-Modified`. */
  readonly modified: string;
  /** Whether its form depends on `Accept-Encoding`. */
  readonly compressible: boolean;
  /** Its form in a content coding, compressed at the first request; uncompressed if that is not smaller. */
  encode(encoding: Encoding | 'identity'): EncodedPage | Promise<EncodedPage>;
}

export interface EncodedPage {
  readonly bytes: Buffer;
  readonly encoding: Encoding | 'identity';
  readonly etag: string;
  /** Last response headers, which are almost always the same. */
  lastResponse: { readonly rules: HeaderRules; readonly path: string; readonly answer: FileResponse } | null;
}

export function createPageFile(
  { path, bytes, stats }: { path: string; bytes: Buffer; stats: Stats },
  grow: Grow,
): PageFile {
  const type = contentTypeOf(path);
  const compressible = isCompressible(type, bytes.length);
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const identity: EncodedPage = { bytes, encoding: 'identity', etag: `"${tag}"`, lastResponse: null };
  const encodedPages = new Map<Encoding, EncodedPage | Promise<EncodedPage>>();

  async function compressPage(encoding: Encoding): Promise<EncodedPage> {
    const smaller = await compress(bytes, encoding);
    const isSmaller = smaller.length < bytes.length;
    const form = isSmaller
      ? { bytes: smaller, encoding, etag: `"${tag}-${encoding}"`, lastResponse: null }
      : identity;
    encodedPages.set(encoding, form);
    if (isSmaller) grow(smaller.length);
    return form;
  }

  return {
    type,
    redirectTarget: redirectTargetOf(bytes),
    modified: stats.mtime.toUTCString(),
    compressible,
    encode(encoding) {
      if (encoding === 'identity' || !compressible) return identity;
      const known = encodedPages.get(encoding);
      if (known) return known;
      return cacheUnlessRejected(encodedPages, encoding, compressPage(encoding));
    },
  };
}
