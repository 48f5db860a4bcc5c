import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** The limit of the API. */
export const MAX_IMAGE_BYTES = 5 * 1_048_576;

/** An image of the folder that can be uploaded. */
export interface FolderImage {
  /** Relative to the folder. */
  readonly path: string;
  /** SHA-256 of its bytes. */
  readonly hash: string;
}

/** The images of a folder, each read once. */
export interface ImageFiles {
  /**
   * The image that a file refers to: a path beside the file, or one from the root of the site. Its reason if it cannot
   * be uploaded; null if there is no such file.
   */
  find(file: string, reference: string): Promise<FolderImage | { readonly refusal: string } | null>;
}

/** Folders whose files are at the root of a site. */
const ROOTS = [
  '',
  'static/',
  'public/',
  'assets/',
  'images/',
  'src/',
  'src/assets/',
  'source/',
  '.vuepress/public/',
  'docs/.vuepress/public/',
];

const signatures = [/^\xff\xd8\xff/, /^\x89PNG/, /^GIF8/, /^RIFF.{4}WEBP/s];

/** @param paths all files of the folder: no symbolic link is among them, so none leads out of it */
export function createImageFiles(folder: string, paths: ReadonlySet<string>): ImageFiles {
  const read = new Map<string, ReturnType<typeof readImage>>();
  return {
    async find(file, reference) {
      const path = candidates(file, reference).find((candidate) => paths.has(candidate));
      if (path === undefined) return null;
      const known = read.get(path) ?? readImage(folder, path);
      read.set(path, known);
      return known;
    },
  };
}

function candidates(file: string, reference: string): string[] {
  const inner = pathOfReference(reference);
  if (inner === null) return [];
  if (inner.startsWith('/')) return ROOTS.map((root) => posix.normalize(root + inner.slice(1)));
  const own = posix.join(posix.dirname(file), inner);
  // Docusaurus and VuePress name the root `@site/static` and `/`; a page of its own address is one folder deeper.
  const aliased = inner.replace(/^(?:@site|~|@)\//, '');
  const deeper = posix.join(posix.dirname(file), posix.basename(file).replace(/\.\w+$/, ''), inner);
  return [
    own,
    deeper,
    ...(aliased === inner ? ROOTS : ['', ...ROOTS]).map((root) => posix.normalize(root + aliased)),
  ];
}

/** The path of a reference, decoded, without query and fragment; null if it is no path. */
export function pathOfReference(reference: string): string | null {
  const path = reference.replace(/[?#].*$/s, '');
  if (path === '' || path.startsWith('//') || /^[a-z][a-z\d+.-]*:/i.test(path)) return null;
  try {
    return decodeURIComponent(path).normalize('NFC');
  } catch {
    return path;
  }
}

async function readImage(folder: string, path: string): Promise<FolderImage | { readonly refusal: string }> {
  const whole = join(folder, path);
  const { size } = await stat(whole);
  if (/\.svgz?$/i.test(path)) {
    return {
      refusal:
        'is an SVG, which can carry scripts: Platen takes JPEG, PNG, GIF and WebP. Export it as PNG or WebP',
    };
  }
  if (size > MAX_IMAGE_BYTES) {
    return { refusal: `has ${(size / 1_048_576).toFixed(1)} MB: an image may have 5 MB. Make it smaller` };
  }
  const bytes = await readFile(whole);
  const start = bytes.subarray(0, 12).toString('latin1');
  if (!signatures.some((signature) => signature.test(start))) {
    return { refusal: 'is no JPEG, PNG, GIF or WebP: Platen takes no other images' };
  }
  return { path, hash: createHash('sha256').update(bytes).digest('hex') };
}

export const isImageName = (path: string): boolean =>
  /\.(?:jpe?g|png|gif|webp|svgz?|avif|bmp|ico|tiff?|heic)$/i.test(path);
