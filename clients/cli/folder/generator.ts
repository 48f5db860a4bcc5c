import type { MarkdownKind } from './markdown-kind.ts';

/** Static site generators whose folders and Markdown are known. */
export type SiteGenerator =
  | 'hugo'
  | 'jekyll'
  | 'eleventy'
  | 'astro'
  | 'docusaurus'
  | 'vuepress'
  | 'zola'
  | MarkdownKind
  | 'unknown';

const signs: readonly (readonly [SiteGenerator, RegExp])[] = [
  ['jekyll', /^(?:_config\.ya?ml|(?:.*\/)?_posts\/.*)$/],
  ['hugo', /^(?:hugo\.(?:toml|ya?ml|json)|archetypes\/.*|layouts\/_default\/.*|config\/_default\/.*)$/],
  ['eleventy', /^(?:\.eleventy\.js|eleventy\.config\.[cm]?[jt]s)$/],
  ['astro', /^(?:astro\.config\.\w+|src\/content\/.*)$/],
  ['docusaurus', /^docusaurus\.config\.\w+$/],
  ['vuepress', /^(?:docs\/)?\.(?:vuepress|vitepress)\/.*$/],
  ['zola', /^zola\.toml$/],
];

/** The generator that a folder was made for, by its name and the paths of its files. */
export function generatorOf(folderName: string, paths: readonly string[]): SiteGenerator {
  if (folderName === '_posts' || folderName === '_drafts') return 'jekyll';
  return signs.find(([, sign]) => paths.some((path) => sign.test(path)))?.[0] ?? 'unknown';
}

/** Folders at the root that hold no posts: templates, themes, and what is built. */
const builtFolders = new Set([
  '_site',
  '_includes',
  '_layouts',
  '_data',
  '_sass',
  '_plugins',
  'themes',
  'archetypes',
  'layouts',
  'resources',
  'public',
  'static',
  'assets',
  'dist',
  'build',
  'vendor',
]);

/** Files of a repository that are about it, and no posts. */
const REPOSITORY_FILE =
  /^(?:readme|contributing|changelog|license|code_of_conduct|security|authors|support)\.md$/i;

/** Why a Markdown file is no post; null if it may be one. */
export function reasonToSkip(path: string): string | null {
  const [first = '', ...below] = path.split('/');
  if (below.length > 0 && builtFolders.has(first))
    return `is in ${first}/, where templates or built files are`;
  if (REPOSITORY_FILE.test(path)) return 'is about the folder itself';
  if (/(?:^|\/)_index\.md$/i.test(path)) return 'describes a section: Platen makes lists itself';
  return null;
}
