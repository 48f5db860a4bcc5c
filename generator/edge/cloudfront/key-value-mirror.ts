import type { KeyChanges } from './entries.ts';
import {
  defaultEntries,
  entriesOfFile,
  fileOfKey,
  keysOfFile,
  type MirrorContext,
  type MirrorEntries,
} from './entries.ts';
import type { KeyValueStore } from './key-values.ts';

/** The mirror of an edge's hosts and headers in the KeyValueStore, with what is needed to compare it with the edge. */
export interface KeyValueMirror extends KeyValueStore {
  /** Entries that do not depend on files of the edge: the default header set. */
  readonly fixedEntries: MirrorEntries;
  /** The entries that a file requires; null for a key that must not exist. Throws if Platen did not write the file. */
  entriesOfFile(path: string, bytes: Uint8Array): KeyChanges;
  /** The keys that a file alone determines. */
  keysOfFile(path: string): readonly string[];
  /** The file that determines a key; null for header sets, which blogs share. */
  fileOfKey(key: string): string | null;
}

export const createKeyValueMirror = (keyValues: KeyValueStore, context: MirrorContext): KeyValueMirror => ({
  ...keyValues,
  fixedEntries: context.defaultHeaders === null ? new Map() : defaultEntries(context.defaultHeaders),
  entriesOfFile: (path, bytes) => entriesOfFile(path, bytes, context),
  keysOfFile,
  fileOfKey,
});
