import { readFileSync } from 'node:fs';
import { cephTool } from '../../scripts/tools/ceph.ts';
import { type DebianTool, installPackages } from '../../scripts/tools/install-packages.ts';
import { findBrowser } from './browser.ts';

const chromiumTool: DebianTool = { programs: ['chromium'], packages: ['chromium'] };

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
    ...(imported('browser.ts') && findBrowser() === null ? [chromiumTool] : []),
    ...(imported('s3-server.ts') ? [cephTool] : []),
  ];
}
