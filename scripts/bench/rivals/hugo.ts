import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { debianProgram } from './debian.ts';
import { writePosts } from './markdown-files.ts';
import { copyTemplates, prependLines, type Rival, writeThemeAssets } from './rival.ts';

/** Throws if Hugo can neither be found nor downloaded from Debian. */
export function installHugo(): Rival {
  const program = debianProgram(['hugo'], 'hugo');
  const said = execFileSync(program, ['version'], { encoding: 'utf8' });
  return {
    name: 'Hugo',
    version: /v(\d+(?:\.\d+)*)/.exec(said)?.[1] ?? '',
    writeProject(folder, { title, url, posts, assets }) {
      copyTemplates('hugo', folder);
      prependLines(join(folder, 'config.toml'), [`title = "${title}"`, `baseURL = "${url}/"`]);
      writeThemeAssets(join(folder, 'layouts', 'partials'), assets, '.html');
      writePosts(join(folder, 'content', 'posts'), posts);
      return {
        program,
        args: ['--source', folder, '--quiet'],
        outputFolder: join(folder, 'public'),
        caches: [join(folder, 'resources')],
      };
    },
  };
}
