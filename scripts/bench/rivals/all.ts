import { installEleventy } from './eleventy.ts';
import { installHexo } from './hexo.ts';
import { installHugo } from './hugo.ts';
import type { Rival } from './rival.ts';

const installers: Readonly<Record<string, () => Rival>> = {
  hugo: installHugo,
  eleventy: installEleventy,
  hexo: installHexo,
};

/** The rivals that are named (`hugo,hexo`, or `none`). Says in a line who cannot be had, and leaves them out. */
export function installRivals(names: string): Rival[] {
  if (names === 'none') return [];
  return names.split(',').flatMap((name) => {
    const install = installers[name];
    if (!install) throw new Error(`there is no rival "${name}" (see --help)`);
    try {
      return install();
    } catch (error) {
      console.log(`Left out: ${error instanceof Error ? error.message : error}\n`);
      return [];
    }
  });
}
