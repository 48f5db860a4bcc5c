import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Main module of the server, from the root of its package. */
const ENTRY = 'dist/server/main.js';

/**
 * The compiled server of the package of Platen that this module is in or beside, or that the folder `cwd` is; null if
 * there is none. Only a package named platen counts: other projects have a server, too.
 */
export async function findServer(cwd: string): Promise<string | null> {
  for (const root of [...rootsAround(dirname(fileURLToPath(import.meta.url))), cwd]) {
    if ((await isPlaten(root)) && (await isThere(join(root, ENTRY)))) return join(root, ENTRY);
  }
  return null;
}

/** A folder and those that it is in, each with the package beside it. */
function rootsAround(folder: string): string[] {
  const here = [folder, join(folder, 'node_modules', 'platen')];
  return dirname(folder) === folder ? here : [...here, ...rootsAround(dirname(folder))];
}

async function isPlaten(root: string): Promise<boolean> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    return (
      typeof manifest === 'object' && manifest !== null && 'name' in manifest && manifest.name === 'platen'
    );
  } catch {
    return false;
  }
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** What to do where there is no server. */
export const HOW_TO_GET_A_SERVER =
  'the server of Platen is not on this machine, or not built: in a checkout of Platen, run npm ci && npm run build, ' +
  'and this command in its folder';
