import type { KeyChanges } from './entries.ts';
import { type Entries, entriesOf, fileOf, keysOf, type Usual, usualEntries } from './entries.ts';
import type { KeyValues } from './key-values.ts';

/** The mirror of an edge's hosts and headers in the KeyValueStore, with what is needed to compare it with the edge. */
export interface Told extends KeyValues {
  /** Entries that do not depend on files of the edge: the default header set. */
  readonly always: Entries;
  /** The entries that a file requires; null for a key that must not exist. Throws if Platen did not write the file. */
  ofFile(path: string, bytes: Uint8Array): KeyChanges;
  /** The keys that a file alone determines. */
  keysOf(path: string): readonly string[];
  /** The file that determines a key; null for header sets, which blogs share. */
  fileOf(key: string): string | null;
}

export const createTold = (keyValues: KeyValues, usual: Usual): Told => ({
  ...keyValues,
  always: usual.usualHeaders === null ? new Map() : usualEntries(usual.usualHeaders),
  ofFile: (path, bytes) => entriesOf(path, bytes, usual),
  keysOf,
  fileOf,
});
