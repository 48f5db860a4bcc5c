import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { contentTypeOf } from '../../generator/edge/content-type.ts';
import type { HeaderRules } from '../../generator/edge/header-rules.ts';
import { redirectOf } from '../../generator/edge/redirect.ts';
import { keepUnlessRejected } from '../../generator/workers/memoised.ts';
import type { Answer } from './answer.ts';
import { compress, type Encoding, isCompressible } from './encodings.ts';
import type { Grow } from './fresh-files.ts';

/** One version of a blog's file, with its compressed forms. */
export interface PageFile {
  readonly type: string;
  /** Redirect target, if the file is a redirect. */
  readonly movedTo: string | null;
  /** In the format of `Last-Modified`. */
  readonly modified: string;
  /** Whether its form depends on `Accept-Encoding`. */
  readonly compressible: boolean;
  /** Its form in a content coding, compressed at the first request; uncompressed if that is not smaller. */
  form(encoding: Encoding | 'identity'): Form | Promise<Form>;
}

export interface Form {
  readonly bytes: Buffer;
  readonly encoding: Encoding | 'identity';
  readonly etag: string;
  /** Last response headers, which are almost always the same. */
  last: { readonly rules: HeaderRules; readonly path: string; readonly answer: Answer } | null;
}

export function createPageFile(
  { path, bytes, stats }: { path: string; bytes: Buffer; stats: Stats },
  grow: Grow,
): PageFile {
  const type = contentTypeOf(path);
  const compressible = isCompressible(type, bytes.length);
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const identity: Form = { bytes, encoding: 'identity', etag: `"${tag}"`, last: null };
  const forms = new Map<Encoding, Form | Promise<Form>>();

  async function make(encoding: Encoding): Promise<Form> {
    const smaller = await compress(bytes, encoding);
    const isSmaller = smaller.length < bytes.length;
    const form = isSmaller
      ? { bytes: smaller, encoding, etag: `"${tag}-${encoding}"`, last: null }
      : identity;
    forms.set(encoding, form);
    if (isSmaller) grow(smaller.length);
    return form;
  }

  return {
    type,
    movedTo: redirectOf(bytes),
    modified: stats.mtime.toUTCString(),
    compressible,
    form(encoding) {
      if (encoding === 'identity' || !compressible) return identity;
      const known = forms.get(encoding);
      if (known) return known;
      return keepUnlessRejected(forms, encoding, make(encoding));
    },
  };
}
