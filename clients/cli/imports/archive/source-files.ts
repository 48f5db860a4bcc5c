import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { lineAt, placeOf } from '../../folder/file-message.ts';
import { decode, sizeOf, UnreadableError } from '../../folder/source-file.ts';
import { listFiles } from '../../folder/walk.ts';
import { ImportError } from '../import-error.ts';
import { damaged, openZip } from './zip-files.ts';

/** The files of an export: those of a folder, of a zip, or a single one. */
export interface SourceFiles {
  /** The path that was given. */
  readonly name: string;
  /** The folder on the disk; null for a zip. */
  readonly folder: string | null;
  /** Relative, separated by `/`, sorted. The folder that a zip has around everything is left out. */
  readonly paths: readonly string[];
  has(path: string): boolean;
  stream(path: string): Promise<Readable>;
  /** All bytes of a file. Throws an ImportError if it has more than `max`. */
  bytes(path: string, max: number): Promise<Buffer>;
  /** A text file. Throws an ImportError, with its line if it is not UTF-8. */
  text(path: string, max: number): Promise<string>;
  /** `export.zip, posts.csv` */
  placeOf(path: string, line?: number): string;
  close(): void;
}

/** Opens an export. Throws an ImportError if there is none, or if it is a zip that cannot be read. */
export async function openSource(name: string): Promise<SourceFiles> {
  const found = await stat(name).catch((error: NodeJS.ErrnoException) => {
    throw new ImportError(
      error.code === 'ENOENT' ? `${name} does not exist` : `${name} cannot be read (${error.code})`,
    );
  });
  if (found.isDirectory()) return openFolder(name);
  return (await startOf(name)).startsWith('PK') ? openZipped(name) : openSingle(name, found.size);
}

async function startOf(file: string): Promise<string> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new ImportError(`${file} cannot be read (${error.code})`);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead).toString('latin1');
  } finally {
    await handle.close();
  }
}

async function openFolder(name: string): Promise<SourceFiles> {
  const { paths } = await listFiles(name);
  return filesOf({
    name,
    folder: name,
    paths,
    place: (path) => `${name}/${path}`,
    sizeOf: async (path) => (await stat(join(name, path))).size,
    open: async (path) => createReadStream(join(name, path)),
  });
}

async function openZipped(name: string): Promise<SourceFiles> {
  const zip = await openZip(name);
  const root = rootOf([...zip.sizes.keys()]);
  return filesOf({
    name,
    folder: null,
    paths: [...zip.sizes.keys()].map((path) => path.slice(root.length)).sort(),
    place: (path) => `${name}, ${path}`,
    sizeOf: async (path) => zip.sizes.get(root + path) ?? 0,
    open: (path) => zip.stream(root + path),
    close: zip.close,
  });
}

function openSingle(name: string, size: number): SourceFiles {
  const path = basename(name);
  return filesOf({
    name,
    folder: null,
    paths: [path],
    place: () => name,
    sizeOf: async () => size,
    open: async () => createReadStream(name),
  });
}

/** The folder that is around all files. */
function rootOf(paths: readonly string[]): string {
  const [first = ''] = paths;
  const root = first.slice(0, first.indexOf('/') + 1);
  // A folder of posts is what tells exports apart.
  return !/^(?:posts|_posts|content)\/$/.test(root) && paths.every((path) => path.startsWith(root))
    ? root
    : '';
}

interface Opened {
  readonly name: string;
  readonly folder: string | null;
  readonly paths: readonly string[];
  readonly place: (path: string) => string;
  readonly sizeOf: (path: string) => Promise<number>;
  readonly open: (path: string) => Promise<Readable>;
  readonly close?: () => void;
}

function filesOf({
  name,
  folder,
  paths,
  place,
  sizeOf: bytesOf,
  open: openFile,
  close,
}: Opened): SourceFiles {
  const at = (path: string, line?: number) => placeOf({ file: place(path), line, message: '' });
  async function bytes(path: string, max: number): Promise<Buffer> {
    const size = await bytesOf(path);
    if (size > max) throw new ImportError(`${at(path)} has ${sizeOf(size)}: ${sizeOf(max)} are read at most`);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of await openFile(path)) chunks.push(chunk);
    } catch (error) {
      throw error instanceof ImportError ? error : damaged(at(path), error);
    }
    return Buffer.concat(chunks);
  }
  const all = new Set(paths);
  return {
    name,
    folder,
    paths,
    has: (path) => all.has(path),
    stream: openFile,
    bytes,
    async text(path, max) {
      const raw = await bytes(path, max);
      try {
        return decode(raw);
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error;
        throw new ImportError(`${at(path, error.line)}: ${error.message}`);
      }
    },
    placeOf: at,
    close: () => close?.(),
  };
}

/** Parses JSON. Throws an ImportError with the line at which it is wrong or cut off. */
export function parseJson(text: string, place: (line: number) => string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const position = /at position (\d+)/.exec(reason)?.[1];
    const isCut = /end of JSON|Unterminated/.test(reason);
    const line = lineAt(text, position === undefined ? text.length : Number(position));
    const what = isCut ? 'the end is missing. Export it again' : 'it is no valid JSON';
    throw new ImportError(`${place(line)}: ${what} (${reason.replace(/ in JSON.*$/s, '')})`);
  }
}
