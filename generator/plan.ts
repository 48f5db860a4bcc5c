import type { OutputFile, Page } from './page.ts';

/** A row of a blog's manifest. The hash is empty where a write was intended and never confirmed. */
export interface ManifestEntry {
  readonly path: string;
  readonly page: string;
  readonly hash: string;
}

export interface Plan {
  /** Files that are new or differ from what is on the edge. */
  readonly write: readonly OutputFile[];
  /** Paths of those of them at which nothing is on the edge. */
  readonly added: ReadonlySet<string>;
  /** Cards that the edge lacks. Their names tell their content, so one that is there is right. */
  readonly draw: readonly Page[];
  /** Paths of files that the pages have no more. One that another page takes over must not be removed. */
  readonly gone: readonly string[];
}

/**
 * What brings some pages of the edge from the manifest to what they show now: `files` and `cards` are those pages as
 * they are now, `entries` is what the manifest knows of the same pages and of the same paths.
 */
export function planPages(
  files: readonly OutputFile[],
  cards: readonly Page[],
  entries: readonly ManifestEntry[],
): Plan {
  const onEdge = new Map(entries.map((entry) => [entry.path, entry]));
  const wanted = new Set([...files, ...cards].map(({ path }) => path));
  const write = files.filter(({ path, key, hash }) => {
    const entry = onEdge.get(path);
    return entry?.hash !== hash || entry.page !== key;
  });
  return {
    write,
    added: new Set(write.map(({ path }) => path).filter((path) => !onEdge.get(path)?.hash)),
    draw: cards.filter(({ path }) => !onEdge.get(path)?.hash),
    gone: entries.filter(({ path }) => !wanted.has(path)).map(({ path }) => path),
  };
}
