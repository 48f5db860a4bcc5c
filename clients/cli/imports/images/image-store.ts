import { createHash } from 'node:crypto';
import { extensionOf, type FetchLimits, fetchImage, ImageError } from '../../downloads/fetch-image.ts';
import { MAX_IMAGE_BYTES } from '../../folder/image-files.ts';
import type { OutputFolder } from '../../folder/output/output-folder.ts';
import { slugFromWords } from '../../folder/slugs.ts';

/** The images of an import, each fetched once and kept in the folder `images`. */
export interface ImageStore {
  /** The file of an image, relative to the folder that is written. Throws an ImageError. */
  fileOf(address: string): Promise<string>;
  readonly counts: { readonly fetched: number; readonly missing: number };
}

export interface ImageStoreOptions extends FetchLimits {
  readonly output: OutputFolder;
  /** Bytes that the export itself has for an address; null if it has none. */
  readonly imageAt: (address: string) => Promise<Uint8Array | null>;
  /** Whether images that the export does not have are fetched. */
  readonly fetches: boolean;
}

const FOLDER = 'images';
/** Hosts that did not answer so often are not asked again. */
const MAX_FAILURES = 3;
/** Length of a file name without what makes it unique. */
const MAX_NAME = 60;

export async function createImageStore(options: ImageStoreOptions): Promise<ImageStore> {
  const { output } = options;
  // What an earlier run has left need not be fetched again: the name of an image depends on its address only.
  const known = new Map((await output.list(FOLDER)).map((name) => [name.replace(/\.\w+$/, ''), name]));
  const running = new Map<string, Promise<string>>();
  const failures = new Map<string, number>();
  const counts = { fetched: 0, missing: 0 };

  async function read(address: string): Promise<Uint8Array> {
    if (address.startsWith('data:')) return bytesOfData(address);
    const own = await options.imageAt(address);
    if (own !== null) return own;
    if (!/^https?:/.test(address)) throw new ImageError('is not part of the export');
    if (!options.fetches) throw new ImageError('was not fetched, as --no-images says');
    const { host } = new URL(address);
    if ((failures.get(host) ?? 0) >= MAX_FAILURES)
      throw new ImageError(`was not fetched: ${host} did not answer`);
    try {
      const bytes = await fetchImage(address, options);
      failures.delete(host);
      return bytes;
    } catch (error) {
      if (error instanceof ImageError && error.isUnreachable)
        failures.set(host, (failures.get(host) ?? 0) + 1);
      throw error;
    }
  }

  async function keep(address: string): Promise<string> {
    const name = nameOf(address);
    const there = known.get(name);
    if (there !== undefined) return `${FOLDER}/${there}`;
    const bytes = await read(address);
    if (bytes.byteLength > MAX_IMAGE_BYTES)
      throw new ImageError('has more than 5 MB, the most that an image may have: make it smaller');
    const file = `${FOLDER}/${name}.${extensionOf(bytes)}`;
    await output.write(file, bytes);
    counts.fetched += 1;
    return file;
  }

  return {
    fileOf(address) {
      const key = address.startsWith('data:') ? hashOf(address) : address;
      const found = running.get(key);
      if (found !== undefined) return found;
      const made = keep(address).catch((error: unknown) => {
        if (error instanceof ImageError) counts.missing += 1;
        throw error;
      });
      running.set(key, made);
      return made;
    },
    counts,
  };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** `paper-1a2b3c4d`: what the address calls it, and its hash. */
function nameOf(address: string): string {
  if (address.startsWith('data:')) return `image-${hashOf(address)}`;
  const last = address.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  const name = slugFromWords(decoded(last).replace(/\.\w{2,5}$/, '')).slice(0, MAX_NAME);
  return `${name || 'image'}-${hashOf(address)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function bytesOfData(address: string): Uint8Array {
  const [, encoding, data = ''] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(address) ?? [];
  return encoding === undefined ? Buffer.from(decoded(data)) : Buffer.from(data, 'base64');
}
