import type { Edge } from './edge.ts';

/** The same edge, with a check before each write and removal. Where the check rejects, nothing is touched. */
export const guarded = <E extends Edge>(edge: E, check: () => void | Promise<void>): E => ({
  ...edge,
  async write(path: string, bytes: Uint8Array) {
    await check();
    await edge.write(path, bytes);
  },
  async remove(paths: readonly string[]) {
    await check();
    await edge.remove(paths);
  },
});
