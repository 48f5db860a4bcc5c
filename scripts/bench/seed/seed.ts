import { createHash } from 'node:crypto';
import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { cacheFolder } from '../support/cache.ts';
import { fillDatabase, type SeedOptions } from './fill-database.ts';
import { type Seeded, seeded } from './seeded.ts';

/** Number of other code versions whose seeds stay in the cache. */
const OTHER_VERSIONS_KEPT = 2;

/** Code below `dist` that affects the seeded rows. A change of it invalidates the cache. */
const HASHED_PATHS = [
  'generator/markdown',
  'generator/search',
  'generator/site',
  'server',
  'scripts/bench/seed',
];

/**
 * Fills an empty data folder with an account, its key and a blog of each size, none of them built yet. Seeds are kept
 * in the user's cache until the code that affects them changes.
 */
export async function seed(
  dataDir: string,
  sizes: readonly number[],
  filling: SeedOptions = {},
): Promise<Seeded> {
  const cached = cacheFolder(join('seeded', codeHash(), cacheName(sizes, filling)));
  if (!existsSync(cached)) {
    pruneOtherVersions(dirname(cached));
    const unfinished = `${cached}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    const filled = await fillDatabase(unfinished, sizes, filling);
    writeFileSync(join(unfinished, 'seeded.json'), JSON.stringify(filled));
    renameSync(unfinished, cached);
  }
  cpSync(cached, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return seeded.parse(JSON.parse(readFileSync(join(cached, 'seeded.json'), 'utf8')));
}

function cacheName(
  sizes: readonly number[],
  { texts = 0, separateAccounts = false, longPosts = 0 }: SeedOptions,
): string {
  const special = [texts && `texts-${texts}`, separateAccounts && 'apart', longPosts && `long-${longPosts}`];
  const name = [...sizes, ...special.filter(Boolean)].join('-') || 'nothing';
  return name.length < 100
    ? name
    : `${sizes.length}-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
}

function codeHash(): string {
  const dist = dirname(dirname(createRequire(import.meta.url).resolve('#dist/scripts/build-templates.js')));
  const hash = createHash('sha256').update(readFileSync(join(dist, '..', 'package-lock.json')));
  for (const path of HASHED_PATHS)
    for (const file of codeIn(join(dist, path))) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

const codeIn = (path: string): string[] =>
  path.endsWith('.js')
    ? [path]
    : readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.js'))
        .sort()
        .map((name) => join(path, name));

/** Deletes old seeds of other code versions, except the newest, which serve to compare two versions. */
function pruneOtherVersions(folder: string): void {
  const all = dirname(folder);
  const others = (existsSync(all) ? readdirSync(all) : []).filter((name) => name !== basename(folder));
  const changed = (name: string) => statSync(join(all, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const old = others.sort((a, b) => changed(b) - changed(a)).slice(OTHER_VERSIONS_KEPT);
  for (const name of old) rmSync(join(all, name), { recursive: true, force: true });
}
