import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A tool from Debian packages. */
export interface DebianTool {
  /** Programs that are on the `PATH` once it is installed. */
  readonly programs: readonly string[];
  readonly packages: readonly string[];
}

export interface InstallOptions {
  /** Existing file or folder to lock, so that only one process installs at a time. */
  readonly lock?: string;
  readonly mayInstall?: boolean;
}

/** dpkg's own folder: writable by root only, and present on every Debian. */
const DPKG_FOLDER = '/var/lib/dpkg';
/** Lines of apt-get output in the error message. */
const SHOWN_LINES = 12;
const APT = 'apt-get --quiet --yes --option DPkg::Lock::Timeout=600';

/**
 * Installs a missing tool, as root on Debian. Parallel runs, in other checkouts too, wait for each other. Throws with
 * the names of the packages to install, or with the last output lines of apt-get.
 */
export function installPackages(
  { programs, packages }: DebianTool,
  { lock = DPKG_FOLDER, mayInstall = mayInstallPackages() }: InstallOptions = {},
): void {
  if (isInstalled(programs)) return;
  const names = packages.join(' ');
  if (!mayInstall) throw new Error(`install ${names} (as root on Debian, this is done for you)`);
  console.warn(`installing Debian's ${names} …`);
  // The operating system releases the lock when the process ends. After the wait, the tool may already be installed.
  const { status, stdout, error } = spawnSync(
    'flock',
    ['--close', lock, 'sh', '-c', `${presenceTest(programs)} || { ${installScript(names)} } 2>&1`],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 2 ** 20,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  if (status === 0 && isInstalled(programs)) return;
  const output = error ? error.message : stdout.trim().split('\n').slice(-SHOWN_LINES).join('\n');
  throw new Error(`${names} could not be installed:\n${output}`);
}

/** Whether this process is root on Debian. */
export const mayInstallPackages = (): boolean =>
  process.getuid?.() === 0 && existsSync('/etc/debian_version');

/** Whether all these programs are on the `PATH`. */
export const isInstalled = (programs: readonly string[]): boolean =>
  spawnSync('sh', ['-c', presenceTest(programs)]).status === 0;

const presenceTest = (programs: readonly string[]): string =>
  programs.map((program) => `command -v ${program} >/dev/null`).join(' && ');

/**
 * apt's lock timeout does not cover `update`, and a machine that has just booted updates its package lists itself.
 */
const installScript = (names: string): string => `
for round in 1 2 3 4 5 6; do
  ${APT} update && break
  sleep 10
done
${APT} install --no-install-recommends ${names}
`;
