import { readFile, stat } from 'node:fs/promises';

interface Known<T> {
  /** What the file was when it was read. */
  readonly state: string;
  readonly content: T;
}

/**
 * Small files that are asked for again and again: each is read when it has changed, and costs one look at its state
 * else. Null for one that is not there, or cannot be read.
 */
export function createFreshFiles<T>(parse: (text: string) => T): (file: string) => Promise<T | null> {
  const known = new Map<string, Known<T>>();
  return async (file) => {
    try {
      const { ino, mtimeMs, size } = await stat(file);
      const state = [ino, mtimeMs, size].join();
      const found = known.get(file);
      if (found?.state === state) return found.content;
      const content = parse(await readFile(file, 'utf8'));
      known.set(file, { state, content });
      return content;
    } catch {
      known.delete(file);
      return null;
    }
  };
}
