import type { Manifest } from '../../generator/build.ts';
import type { OutputFile } from '../../generator/page.ts';
import type { ManifestEntry } from '../../generator/plan.ts';

export interface MemoryManifest extends Manifest {
  readonly entries: Map<string, ManifestEntry>;
  /** Forgets removed paths, as settling a rebuild does. */
  forget(paths: readonly string[]): void;
}

/** A manifest in memory with the contract of the real one. */
export function memoryManifest(): MemoryManifest {
  const entries = new Map<string, ManifestEntry>();
  const put = (files: readonly OutputFile[], hashOf: (file: OutputFile) => string) => {
    for (const file of files) entries.set(file.path, { path: file.path, page: file.key, hash: hashOf(file) });
  };
  return {
    entries,
    find: async ({ pages, paths }) =>
      [...entries.values()].filter(({ page, path }) => pages.includes(page) || paths.includes(path)),
    async *all() {
      yield [...entries.values()];
    },
    uncertainPages: async () =>
      [...entries.values()].flatMap(({ page, hash }) => (hash === '' ? [page] : [])),
    intend: async (files) => put(files, () => ''),
    record: async (files) => put(files, ({ hash }) => hash),
    async intendRemovals(paths) {
      for (const [path, entry] of entries)
        if (paths.includes(path)) entries.set(path, { ...entry, hash: '' });
    },
    forget(paths) {
      for (const path of paths) entries.delete(path);
    },
  };
}
