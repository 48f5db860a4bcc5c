import { statfsSync } from 'node:fs';

const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 * 1024 ** 3;

/**
 * The environment in which tests put their temporary files into memory, where there is room: they write so many small
 * ones, and wait for the disk so often, that this is half of their time on a slow one. Whoever sets `TMPDIR` decides.
 */
export function temporaryFolder(): { readonly TMPDIR?: string } {
  if (process.env.TMPDIR) return {};
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES ? { TMPDIR: IN_MEMORY } : {};
  } catch {
    return {};
  }
}
