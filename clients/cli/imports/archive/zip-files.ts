import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { sizeOf } from '../../folder/source-file.ts';
import { ImportError } from '../import-error.ts';

/** Entries of a zip at most. */
export const MAX_ENTRIES = 200_000;
/** What all entries may have together when they are unpacked, in bytes. */
export const MAX_UNPACKED_BYTES = 20 * 1_024 ** 3;
/** What an entry may have unpacked in relation to its size in the zip. Text is seldom packed to less than a twentieth. */
export const MAX_RATIO = 200;
/** Entries that are smaller than this may have any ratio: an empty page of spaces is no bomb. */
const SMALL_BYTES = 1_048_576;

/** The files of a zip. Nothing is unpacked to the disk, so no name of an entry leads anywhere. */
export interface ZipFiles {
  readonly sizes: ReadonlyMap<string, number>;
  stream(path: string): Promise<Readable>;
  close(): void;
}

/** Opens a zip. Throws an ImportError if it is damaged, encrypted, or unpacks to more than an export would. */
export async function openZip(file: string): Promise<ZipFiles> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false }).catch((error: Error) => {
    throw damaged(file, error);
  });
  try {
    const entries = await listEntries(zip, file);
    return {
      sizes: new Map([...entries].map(([path, { uncompressedSize }]) => [path, uncompressedSize])),
      async stream(path) {
        const entry = entries.get(path);
        if (entry === undefined) throw new ImportError(`${file} has no file ${path}`);
        const stream = await zip.openReadStreamPromise(entry).catch((error: Error) => {
          throw damaged(`${file}, ${path}`, error);
        });
        return stream;
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function listEntries(zip: ZipFile, file: string): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES) {
    throw new ImportError(
      `${file} says that it has ${zip.entryCount.toLocaleString('en')} files: an export has ${MAX_ENTRIES.toLocaleString('en')} at most`,
    );
  }
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      refuseBomb(file, entry);
      unpacked += entry.uncompressedSize;
      if (unpacked > MAX_UNPACKED_BYTES)
        throw new ImportError(
          `${file} unpacks to more than ${sizeOf(MAX_UNPACKED_BYTES)}: it is not read further`,
        );
      if (!isIncidental(entry.fileName)) entries.set(entry.fileName, entry);
    }
  } catch (error) {
    throw error instanceof ImportError ? error : damaged(file, error);
  }
  // A bomb has many entries with the same bytes, each of which is within the bounds.
  if (unpacked > SMALL_BYTES && unpacked > MAX_RATIO * zip.fileSize) throw bomb(file, unpacked);
  return entries;
}

function refuseBomb(file: string, { fileName, uncompressedSize, compressedSize, ...entry }: Entry): void {
  if ((entry.generalPurposeBitFlag & 1) !== 0)
    throw new ImportError(`${file} is encrypted: unpack it, and import the folder`);
  if (uncompressedSize > SMALL_BYTES && uncompressedSize > MAX_RATIO * compressedSize)
    throw bomb(`${file}, ${fileName}`, uncompressedSize);
}

const bomb = (name: string, bytes: number): ImportError =>
  new ImportError(
    `${name} unpacks to ${sizeOf(bytes)}, more than ${MAX_RATIO} times its size: no export does, so it is not unpacked`,
  );

/** Folders, and what the systems of computers leave in zips. */
const isIncidental = (path: string): boolean =>
  path.endsWith('/') || /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/.test(path);

export function damaged(name: string, error: unknown): ImportError {
  const reason = error instanceof Error ? error.message : String(error);
  const isCut = /end of central directory|unexpected end|overflows|not enough bytes/i.test(reason);
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    return new ImportError(`${name} does not exist`);
  return new ImportError(
    isCut
      ? `${name} is no whole zip: the end is missing (${reason}). Download it again`
      : `${name} is no zip that can be read: ${reason}`,
  );
}
