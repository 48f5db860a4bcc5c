import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { MEDIA_FOLDER } from '../edge-paths.ts';
import type { EdgeKind } from './edge-kind.ts';
import { openFilesystemEdge, prepareFolder } from './filesystem.ts';

export interface FilesystemSettings {
  readonly kind: 'filesystem';
  readonly folder: string;
}

/**
 * A folder in the data folder. It needs neither a path in its name nor a claim, because both are one installation's.
 */
export const filesystemKind: EdgeKind<unknown, FilesystemSettings> = {
  problems: () => [],
  settingsOf: (_env, dataDir) => ({ kind: 'filesystem', folder: resolve(dataDir, 'edge') }),
  edgeOf: ({ folder }) => ({
    name: 'filesystem',
    description: folder,
    localFolder: folder,
    async prepare() {
      // The lock on the data folder also covers the edge in it.
      await prepareFolder(folder);
      // A backup copies it, also before the first upload.
      await mkdir(join(folder, MEDIA_FOLDER), { recursive: true });
      return [];
    },
    async assertOwn() {},
    open: (options) => openFilesystemEdge(folder, options),
    openKeyValueMirror: async () => null,
    openTenants: async () => null,
  }),
};
