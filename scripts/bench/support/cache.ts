import { homedir } from 'node:os';
import { join } from 'node:path';

/** Cache folder for downloads and seeds of benchmarks. It may not exist yet. */
export const cacheFolder = (name: string): string => join(homedir(), '.cache', 'platen-bench', name);
