import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A tool of Debian's packages. */
export interface DebianTool {
  /** Programs that are on the `PATH` where it is installed. */
  readonly programs: readonly string[];
  readonly packages: readonly string[];
}

export interface Installing {
  /** What only one installs at a time holds: a file or folder that is there. */
  readonly lock?: string;
  readonly mayInstall?: boolean;
}

/** Where dpkg keeps its own: root's, and on every Debian. */
const LOCK = '/var/lib/dpkg';
/** How much of what apt-get said is shown where it failed. */
const LAST_LINES = 12;
const APT = 'apt-get --quiet --yes --option DPkg::Lock::Timeout=600';

/**
 * Installs a tool where it is missing, which root can on Debian. Runs side by side, in other checkouts too, wait for one
 * another. Throws with what to install, or with the last lines of apt-get.
 */
export function installPackages(
  { programs, packages }: DebianTool,
  { lock = LOCK, mayInstall = isRootOnDebian() }: Installing = {},
): void {
  if (isInstalled(programs)) return;
  const names = packages.join(' ');
  if (!mayInstall) throw new Error(`install ${names} (as root on Debian, that is done for you)`);
  console.warn(`installing Debian's ${names} …`);
  // The lock is the operating system's: it ends with the process. Whoever waited for it may find all done.
  const { status, stdout, error } = spawnSync(
    'flock',
    ['--close', lock, 'sh', '-c', `${areThere(programs)} || { ${script(names)} } 2>&1`],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 2 ** 20,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  if (status === 0 && isInstalled(programs)) return;
  const said = error ? error.message : stdout.trim().split('\n').slice(-LAST_LINES).join('\n');
  throw new Error(`${names} could not be installed:\n${said}`);
}

const isRootOnDebian = (): boolean => process.getuid?.() === 0 && existsSync('/etc/debian_version');

/** Whether all these programs are on the `PATH`. */
export const isInstalled = (programs: readonly string[]): boolean =>
  spawnSync('sh', ['-c', areThere(programs)]).status === 0;

const areThere = (programs: readonly string[]): string =>
  programs.map((program) => `command -v ${program} >/dev/null`).join(' && ');

/** The lock timeout is about packages, not about their lists, which a machine that has just started fetches itself. */
const script = (names: string): string => `
for round in 1 2 3 4 5 6; do
  ${APT} update && break
  sleep 10
done
${APT} install --no-install-recommends ${names}
`;
