import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FolderError } from '../walk.ts';

/** A folder that is being written, one whole file after another. Paths are relative to it, separated by `/`. */
export interface OutputFolder {
  readonly path: string;
  /** Whether an earlier run on the same source was cut off, and this one goes on there. */
  readonly goesOn: boolean;
  /** Replaces a file by a whole one: a run that is killed leaves the old one, the new one or none. */
  write(file: string, content: string | Uint8Array): Promise<void>;
  /** Names of the files in one of its folders; none if it is not there yet. */
  list(folder: string): Promise<readonly string[]>;
  /** Notes that everything is written. */
  finish(): Promise<void>;
}

/** Says of which source a folder is made, and whether all of it is there. */
const NOTE = '.platen/source.json';

export interface OutputOptions {
  /** Names what is written, so that a second run on the same source is known. */
  readonly source: string;
  /** Writes into a folder that has files of others: those with other names stay. */
  readonly force: boolean;
}

/**
 * Opens a folder for writing, and creates it if it is not there. Throws a FolderError if it has files that no run on the
 * same source that was cut off has left, or if it cannot be written.
 */
export async function openOutputFolder(
  path: string,
  { source, force }: OutputOptions,
): Promise<OutputFolder> {
  const note = await readNote(path);
  const goesOn = note !== null && note.source === source && !note.finished;
  const files = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new FolderError(`${path} cannot be written as a folder (${error.code ?? error.message})`);
  });
  if (files.length > 0 && !goesOn && !force) {
    throw new FolderError(
      `${path} is not empty: name another folder with --to, or write into it with --force, which replaces files of the same names`,
    );
  }
  const write = (file: string, content: string | Uint8Array) => writeWhole(join(path, file), content);
  const keep = (finished: boolean) => write(NOTE, `${JSON.stringify({ source, finished }, null, 2)}\n`);
  await keep(false);
  return {
    path,
    goesOn,
    write,
    list: (folder) => readdir(join(path, folder)).catch(() => []),
    finish: () => keep(true),
  };
}

async function readNote(path: string): Promise<{ source: unknown; finished: unknown } | null> {
  try {
    const note: unknown = JSON.parse(await readFile(join(path, NOTE), 'utf8'));
    return typeof note === 'object' && note !== null && 'source' in note && 'finished' in note ? note : null;
  } catch {
    return null;
  }
}

async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const draft = join(dirname(file), `.${process.pid}.tmp`);
  try {
    await mkdir(dirname(file), { recursive: true });
    const handle = await open(draft, 'w');
    try {
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    throw new FolderError(`${file} cannot be written (${reason})`);
  }
}
