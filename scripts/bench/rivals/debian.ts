import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheFolder } from '../support/cache.ts';

const TIMEOUT_MS = 300_000;
/** Folders in which packages install programs; not all are on every user's `PATH`. */
const PROGRAM_FOLDERS = ['usr/bin', 'usr/sbin', 'bin', 'sbin', 'usr/local/bin', 'usr/games'];

/**
 * Path of a program from Debian packages: the installed one, or else one that is unpacked into the user's cache with
 * its missing dependencies. It installs nothing and needs no root. Throws if the program is missing and cannot be
 * downloaded.
 */
export function debianProgram(packages: readonly string[], program: string): string {
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...PROGRAM_FOLDERS.map((path) => `/${path}`),
  ];
  const found = folders.map((folder) => join(folder, program)).find(existsSync);
  if (found !== undefined) return found;
  const folder = cacheFolder(`debian-${packages.join('-')}`);
  const launcher = join(folder, program);
  if (existsSync(launcher)) return launcher;
  console.error(
    `${program} comes from the Debian packages ${packages.join(', ')}, unpacked into ${folder}\n`,
  );
  try {
    unpack(packages, folder);
    writeFileSync(launcher, launcherScript(folder, program), { mode: 0o755 });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    const reason = error instanceof Error ? error.message.split('\n')[0] : error;
    throw new Error(`${program} is not installed and could not be downloaded from Debian: ${reason}`);
  }
  return launcher;
}

function unpack(packages: readonly string[], folder: string): void {
  const archives = join(folder, 'archives');
  mkdirSync(archives, { recursive: true });
  run('apt-get', ['download', ...missingPackages(packages)], archives);
  const unpacked = join(folder, 'unfinished');
  for (const archive of readdirSync(archives))
    run('dpkg-deb', ['-x', join(archives, archive), unpacked], folder);
  renameSync(unpacked, join(folder, 'root'));
  rmSync(archives, { recursive: true });
}

/** The packages and their dependencies, without those that are installed. */
function missingPackages(packages: readonly string[]): string[] {
  const simulate = () =>
    run('apt-get', ['install', '--simulate', '--no-install-recommends', ...packages], '/');
  let plan: string;
  try {
    plan = simulate();
  } catch {
    // The package lists may never have been downloaded; only root can do that.
    run('apt-get', ['update'], '/');
    plan = simulate();
  }
  return [...plan.matchAll(/^Inst (\S+)/gm)].flatMap(([, name]) => name ?? []);
}

/** A shell script that runs the program with its unpacked libraries. */
function launcherScript(folder: string, program: string): string {
  const root = join(folder, 'root');
  const file = PROGRAM_FOLDERS.map((path) => join(root, path, program)).find(existsSync);
  if (file === undefined) throw new Error(`the packages do not contain ${program}`);
  const libraries = ['usr/lib', 'lib'].flatMap((path) => {
    const folders = existsSync(join(root, path)) ? readdirSync(join(root, path)) : [];
    return [
      join(root, path),
      ...folders.filter((name) => name.includes('-linux-')).map((name) => join(root, path, name)),
    ];
  });
  return `#!/bin/sh\nLD_LIBRARY_PATH='${libraries.join(':')}' exec '${file}' "$@"\n`;
}

const run = (program: string, args: readonly string[], cwd: string): string =>
  execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: TIMEOUT_MS,
  });
