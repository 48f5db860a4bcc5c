import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmFolder } from '../support/npm.ts';
import { writePosts } from './markdown-files.ts';
import { copyTemplates, type Rival, writeThemeAssets } from './rival.ts';

const VERSION = '3.1.6';

/** Throws if npm cannot install it. */
export function installEleventy(): Rival {
  const modules = npmFolder(`eleventy-${VERSION}`, [`@11ty/eleventy@${VERSION}`]);
  return {
    name: 'Eleventy',
    version: VERSION,
    writeProject(folder, { title, url, posts, assets }) {
      copyTemplates('eleventy', folder);
      mkdirSync(join(folder, '_data'));
      writeFileSync(join(folder, '_data', 'blog.json'), JSON.stringify({ title, url }));
      writeThemeAssets(join(folder, '_includes'), assets, '.html');
      writePosts(join(folder, 'posts'), posts);
      return {
        program: process.execPath,
        args: [join(modules, '@11ty', 'eleventy', 'cmd.cjs'), '--quiet'],
        outputFolder: join(folder, '_site'),
        caches: [join(folder, '.cache')],
      };
    },
  };
}
