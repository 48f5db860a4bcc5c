import { installEleventy } from './eleventy.ts';
import { installHexo } from './hexo.ts';
import { installHugo } from './hugo.ts';
import type { Rival } from './rival.ts';

const installers: Readonly<Record<string, () => Rival>> = {
  hugo: installHugo,
  eleventy: installEleventy,
  hexo: installHexo,
};

/** Installs the named generators (`hugo,hexo`, or `none`). Prints and skips those that cannot be installed. */
export function installRivals(names: string): Rival[] {
  if (names === 'none') return [];
  return names.split(',').flatMap((name) => {
    const install = installers[name];
    if (!install) throw new Error(`unknown tool "${name}" (see --help)`);
    try {
      return install();
    } catch (error) {
      console.log(`Skipped: ${error instanceof Error ? error.message : error}\n`);
      return [];
    }
  });
}
