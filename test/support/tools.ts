import { readFileSync } from 'node:fs';
import { cephTool } from '../../scripts/tools/ceph.ts';
import {
  type DebianTool,
  installPackages,
  mayInstallPackages,
} from '../../scripts/tools/install-packages.ts';
import { findBrowser } from './browser.ts';

const chromiumTool: DebianTool = {
  programs: ['chromium-headless-shell'],
  packages: ['chromium-headless-shell'],
};

/**
 * Installs packages that these test files need and the machine lacks; tests themselves install nothing. Reports in a
 * line what could not be installed: the suites that need it will fail.
 */
export function installTools(files: Iterable<string>): void {
  for (const tool of neededTools(files)) {
    try {
      installPackages(tool);
    } catch (error) {
      console.warn(`some suites will fail: ${error instanceof Error ? error.message : error}`);
    }
  }
}

/**
 * Determined by imports, so that a unit test alone installs no browser. A suite must import the module of this folder
 * that needs a tool directly.
 */
export function neededTools(files: Iterable<string>): DebianTool[] {
  const sources = Array.from(files, (file) => readFileSync(file, 'utf8'));
  const imported = (module: string) => sources.some((source) => source.includes(`/support/${module}'`));
  return [
    ...(imported('browser.ts') && isBrowserWanted() ? [chromiumTool] : []),
    ...(imported('s3-server.ts') ? [cephTool] : []),
  ];
}

/** Where packages can be installed, the tests bring the browser that is quickest; elsewhere any will do. */
const isBrowserWanted = (): boolean =>
  findBrowser() === null || (mayInstallPackages() && !process.env.PLATEN_CHROMIUM);
