import { homedir } from 'node:os';
import { join } from 'node:path';

/** A folder for what benchmarks fetch once and use again. It may not be there yet. */
export const cacheFolder = (name: string): string => join(homedir(), '.cache', 'platen-bench', name);
