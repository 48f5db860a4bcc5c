import type { OutputFile, Page } from './page.ts';

/** A row of a blog's manifest. The hash is empty if a write was declared and never recorded. */
export interface ManifestEntry {
  readonly path: string;
  readonly page: string;
  readonly hash: string;
}

export interface Plan {
  /** Files that are new or differ from what is on the edge. */
  readonly write: readonly OutputFile[];
  /** Paths in `write` at which the edge has no file. */
  readonly newPaths: ReadonlySet<string>;
  /** Cards that the edge lacks. A card's path is derived from its content, so an existing card is always current. */
  readonly cardsToDraw: readonly Page[];
  /** Paths of files that these pages no longer have. The caller must keep a path that another page now uses. */
  readonly obsolete: readonly string[];
}

/**
 * Plans how to bring some pages up to date on the edge. `files` and `cards` are the pages as they must be, `entries`
 * the manifest's rows for the same pages and the same paths.
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
    newPaths: new Set(write.map(({ path }) => path).filter((path) => !onEdge.get(path)?.hash)),
    cardsToDraw: cards.filter(({ path }) => !onEdge.get(path)?.hash),
    obsolete: entries.filter(({ path }) => !wanted.has(path)).map(({ path }) => path),
  };
}
