import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { contentTypeOf } from '../../generator/edge/content-type.ts';
import { cacheUnlessRejected } from '../../generator/workers/memoised.ts';
import type { BlogUrl } from '../config/config.ts';
import { compress, type Encoding, isCompressible } from '../edge/encodings.ts';

/** A file of the guides in memory, with its compressed forms. */
export interface GuideFile {
  readonly type: string;
  readonly etag: string;
  readonly bytes: Buffer;
  readonly compressible: boolean;
  /** Compresses at the first request of a form. */
  compressed(encoding: Encoding): Buffer | Promise<Buffer>;
}

export function createGuideFile(name: string, content: string): GuideFile {
  const bytes = Buffer.from(content);
  const type = name.endsWith('.svg')
    ? 'image/svg+xml'
    : name.endsWith('.css')
      ? 'text/css; charset=utf-8'
      : contentTypeOf(name);
  const forms = new Map<Encoding, Promise<Buffer>>();
  return {
    type,
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    bytes,
    compressible: isCompressible(type, bytes.length),
    compressed: (encoding) =>
      forms.get(encoding) ?? cacheUnlessRejected(forms, encoding, compress(bytes, encoding)),
  };
}

/** Where this server is, as guides name it. */
export interface Addresses {
  readonly publicUrl: string;
  readonly blogUrl: BlogUrl;
}

/** The path of the public URL, without a trailing slash: empty if the server is at the root of its host. */
export const publicPathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');

/** Reads the files that `npm run build` made, and inserts the addresses of this server. By path below `/docs/`. */
export function readGuideFiles(addresses: Addresses): ReadonlyMap<string, string> {
  const folder = dirname(createRequire(import.meta.url).resolve('#dist/guides/index.html'));
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files.map((file) => [
      file
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
      withAddresses(readFileSync(file, 'utf8'), addresses, file.endsWith('.json') ? escapeJson : escapeHtml),
    ]),
  );
}

/** The addresses in the sources are those of a new server on the reader's own machine. */
function withAddresses(
  text: string,
  { publicUrl, blogUrl }: Addresses,
  encode: (address: string) => string,
): string {
  const starter = blogUrl({ slug: 'starter', domain: null });
  return text
    .replaceAll('%PUBLIC_PATH%', () => encode(publicPathOf(publicUrl)))
    .replaceAll('http://starter.localhost:8080/', () => encode(starter))
    .replaceAll('http://localhost:8080', () => encode(publicUrl));
}

const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
