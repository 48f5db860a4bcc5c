import type { KeyChanges } from './entries.ts';
import { type Entries, entriesOf, fileOf, keysOf, type Usual, usualEntries } from './entries.ts';
import type { KeyValues } from './key-values.ts';

/** What CloudFront's function has been told of an edge, for whoever compares the two. */
export interface Told extends KeyValues {
  /** What is told whatever lies on the edge. */
  readonly always: Entries;
  /** What is to be told of a file of the edge, by key; null where nothing is. Throws where the file is none of ours. */
  ofFile(path: string, bytes: Uint8Array): KeyChanges;
  /** Keys that are a file's alone. */
  keysOf(path: string): readonly string[];
  /** The file that a key is about; null for what blogs share. */
  fileOf(key: string): string | null;
}

export const createTold = (keyValues: KeyValues, usual: Usual): Told => ({
  ...keyValues,
  always: usual.usualHeaders === null ? new Map() : usualEntries(usual.usualHeaders),
  ofFile: (path, bytes) => entriesOf(path, bytes, usual),
  keysOf,
  fileOf,
});
