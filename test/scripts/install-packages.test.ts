import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cephTool } from '../../scripts/tools/ceph.ts';
import { installPackages } from '../../scripts/tools/install-packages.ts';
import { neededTools } from '../support/tools.ts';

const tool = { programs: ['platen-tried'], packages: ['tried-one', 'tried-two'] };

let folder: string;
let bin: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-install-'));
  bin = join(folder, 'bin');
  mkdirSync(bin);
  program('sleep', '');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('installing packages for the tests', () => {
  it('packages are installed once, by one process at a time', async () => {
    // Creating a folder fails if another process is inside, which proves exclusive use.
    aptGet(`
      mkdir "${folder}/busy" || { echo overlap >>"${folder}/calls"; exit 1; }
      /bin/sleep 0.3
      case "$*" in *' install '*) printf '#!/bin/sh\\n' >"${bin}/platen-tried"; chmod +x "${bin}/platen-tried";; esac
      rmdir "${folder}/busy"`);
    await Promise.all([install(), install(), install()]);
    expect(calls()).toEqual([
      '--quiet --yes --option DPkg::Lock::Timeout=600 update',
      '--quiet --yes --option DPkg::Lock::Timeout=600 install --no-install-recommends tried-one tried-two',
    ]);
  });

  it('packages are installed without prompts, and again after another process has finished its update', async () => {
    aptGet(`
      case "$*" in
        *" update") ;;
        *) test "$DEBIAN_FRONTEND" = noninteractive && printf '#!/bin/sh\\n' >"${bin}/platen-tried"; chmod +x "${bin}/platen-tried";;
      esac
      test -e "${folder}/second" || { touch "${folder}/second"; exit 100; }`);
    await install();
    expect(calls().filter((call) => call.endsWith('update'))).toHaveLength(2);
  });

  it('a failed installation reports the reason', async () => {
    aptGet('echo "E: no such package" >&2; exit 100');
    await expect(install()).rejects.toThrow(
      /tried-one tried-two could not be installed:[\s\S]*E: no such package/,
    );
  });

  it('missing packages are named if they may not be installed', () => {
    expect(() => installPackages(tool, { mayInstall: false })).toThrow(/^install tried-one tried-two /);
  });

  it('the packages needed follow from the imports of the test files', () => {
    const suite = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
    expect(neededTools([suite('faults/faulty-bucket.test.ts')])).toEqual([cephTool]);
    expect(neededTools([suite('scripts/free-port.test.ts'), fileURLToPath(import.meta.url)])).toEqual([]);
  });
});

function program(name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** A fake apt-get that records its calls. */
function aptGet(script: string): void {
  program('apt-get', `echo "$*" >>"${folder}/calls"\n${script}`);
}

const calls = (): string[] => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');

/** Installs in a process of its own, as another test run would. */
function install(): Promise<unknown> {
  const module = createRequire(import.meta.url).resolve('#dist/scripts/tools/install-packages.js');
  const source = `
    import { installPackages } from ${JSON.stringify(module)};
    installPackages(${JSON.stringify(tool)}, { lock: ${JSON.stringify(bin)}, mayInstall: true });`;
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], { env });
}
