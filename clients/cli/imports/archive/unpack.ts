import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isImageName, MAX_IMAGE_BYTES } from '../../folder/image-files.ts';
import { isMarkdown } from '../../folder/walk.ts';
import type { SourceFiles } from './source-files.ts';
import { damaged } from './zip-files.ts';

export interface Unpacked {
  readonly folder: string;
  remove(): Promise<void>;
}

/** A folder with the texts, settings and images of a zip, or the folder that it is. A zip's own is removed afterwards. */
export async function unpack(files: SourceFiles): Promise<Unpacked> {
  if (files.folder !== null) return { folder: files.folder, remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'platen-import-'));
  const unpacked = { folder, remove: () => rm(folder, { recursive: true, force: true }) };
  try {
    for (const path of files.paths.filter(isWanted)) await write(files, path, join(folder, path));
    return unpacked;
  } catch (error) {
    await unpacked.remove();
    throw error;
  }
}

const isWanted = (path: string): boolean =>
  isMarkdown(path) || isImageName(path) || /\.(?:ya?ml|toml|json)$/i.test(path);

async function write(files: SourceFiles, path: string, target: string): Promise<void> {
  // The names of a zip have been checked: none is absolute, or leads out of the folder.
  await mkdir(dirname(target), { recursive: true });
  let length = 0;
  try {
    await pipeline(
      await files.stream(path),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          length += chunk.length;
          yield chunk;
          // What is larger is refused later, by its size: there is no need for all of it.
          if (length > MAX_IMAGE_BYTES) return;
        }
      },
      createWriteStream(target),
    );
  } catch (error) {
    throw damaged(files.placeOf(path), error);
  }
}
