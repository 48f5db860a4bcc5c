import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { BadRequestError } from '../../../sdk/index.ts';
import type { FileMessage } from '../../folder/file-message.ts';
import type { PreparedDeploy } from '../plan/prepare.ts';

/** Uploads the images of a folder, each once. */
export interface Uploads {
  /** The addresses of images, by hash. Those that are not uploaded yet are. */
  addresses(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** How many images were uploaded. */
  count(): number;
}

export function createUploads(
  { folder, state, imagePaths, options, patiently }: PreparedDeploy,
  remark: (message: FileMessage) => void,
): Uploads {
  const running = new Map<string, Promise<string>>();
  let uploaded = 0;

  async function upload(hash: string): Promise<string> {
    const path = imagePaths.get(hash) ?? '';
    const bytes = await readFile(join(folder.path, path));
    const image = { filename: posix.basename(path), signal: options.signal };
    try {
      const { url } = await patiently(() => options.platen.images.upload(bytes, image));
      state.images[hash] = url;
      uploaded += 1;
      return url;
    } catch (error) {
      if (!(error instanceof BadRequestError)) throw error;
      remark({ file: path, message: `the image was refused, and is missing: ${error.message}` });
      return `/${path}`;
    }
  }

  return {
    async addresses(hashes) {
      const addresses = new Map<string, string>();
      for (const hash of hashes) {
        const known = options.imageAddress?.(hash) ?? state.images[hash];
        const found = known ?? running.get(hash) ?? upload(hash);
        if (typeof found !== 'string') running.set(hash, found);
        addresses.set(hash, await found);
      }
      return addresses;
    },
    count: () => uploaded,
  };
}
