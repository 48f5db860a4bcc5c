import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmFolder } from '../support/npm.ts';
import { writePosts } from './markdown-files.ts';
import { copyTemplates, prependLines, type Rival, writeThemeAssets } from './rival.ts';

const VERSION = '8.1.2';

/** Hexo loads the plugins that the blog's package.json lists. */
const plugins = {
  'hexo-generator-index': '4.0.0',
  'hexo-generator-tag': '2.0.0',
  'hexo-renderer-ejs': '2.0.0',
  'hexo-renderer-marked': '7.0.1',
};

/** Throws if npm cannot install it. */
export function installHexo(): Rival {
  const packages = Object.entries({ hexo: VERSION, ...plugins }).map((entry) => entry.join('@'));
  const modules = npmFolder(`hexo-${VERSION}`, packages);
  return {
    name: 'Hexo',
    version: VERSION,
    writeProject(folder, { title, url, posts, assets }) {
      copyTemplates('hexo', folder);
      const described = { name: 'blog', private: true, hexo: { version: VERSION }, dependencies: plugins };
      writeFileSync(join(folder, 'package.json'), JSON.stringify(described));
      symlinkSync(modules, join(folder, 'node_modules'));
      prependLines(join(folder, '_config.yml'), [`title: ${title}`, `url: ${url}`]);
      writeThemeAssets(join(folder, 'themes', 'plain', 'layout'), assets, '.ejs');
      writePosts(join(folder, 'source', '_posts'), posts);
      return {
        program: process.execPath,
        args: [join(modules, 'hexo', 'bin', 'hexo'), 'generate', '--silent', '--bail'],
        outputFolder: join(folder, 'public'),
        caches: [join(folder, 'db.json')],
      };
    },
  };
}
