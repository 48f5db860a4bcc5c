import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The contents of a folder at one moment: the state that a `kill -9` at that moment would leave. */
export interface Moment {
  /** Writes the files to a new folder, and returns it. */
  restoreTo(folder: string): string;
}

/** The distinct contents that a folder had whenever `keep` was called. */
export interface Moments {
  keep(): void;
  readonly kept: readonly Moment[];
}

export function momentsOf(folder: string): Moments {
  const seen = new Set<string>();
  const kept: Moment[] = [];
  return {
    kept,
    keep() {
      const files = filesOf(folder);
      const digest = digestOf(files);
      if (seen.has(digest)) return;
      seen.add(digest);
      kept.push({ restoreTo: (to) => restore(files, to) });
    },
  };
}

type Files = ReadonlyMap<string, Buffer>;

/** All files except SQLite's shared memory, which is lost with its processes. */
function filesOf(folder: string): Files {
  const names = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('-shm'))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name))]));
}

function digestOf(files: Files): string {
  const hash = createHash('sha256');
  for (const [name, bytes] of files) hash.update(`${name} ${bytes.length} `).update(bytes);
  return hash.digest('hex');
}

function restore(files: Files, to: string): string {
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), bytes);
  }
  return to;
}
