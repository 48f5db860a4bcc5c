import type { Edge } from './edge.ts';

/**
 * The same edge, with a check before each write and removal. If the check rejects, nothing is touched. A synchronous
 * check is made in the same step as the write, so nothing can happen between the two.
 */
export const guarded = <E extends Edge>(edge: E, check: () => void | Promise<void>): E => ({
  ...edge,
  async write(path: string, bytes: Uint8Array) {
    const pending = check();
    if (pending) await pending;
    await edge.write(path, bytes);
  },
  async remove(paths: readonly string[]) {
    const pending = check();
    if (pending) await pending;
    await edge.remove(paths);
  },
});
