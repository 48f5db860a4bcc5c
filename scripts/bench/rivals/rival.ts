import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DatedPost } from './markdown-files.ts';

/** A static site generator that builds the same blog from Markdown files. */
export interface Rival {
  readonly name: string;
  readonly version: string;
  /** Writes a blog into an empty folder in the generator's format. */
  writeProject(folder: string, blog: RivalBlog): RivalProject;
}

export interface RivalProject {
  /** Program that builds the blog. */
  readonly program: string;
  readonly args: readonly string[];
  /** Output folder. */
  readonly outputFolder: string;
  /** Caches, which would make the next build faster. */
  readonly caches: readonly string[];
}

export interface RivalBlog {
  readonly title: string;
  /** Without trailing slash. */
  readonly url: string;
  readonly posts: readonly DatedPost[];
  readonly assets: ThemeAssets;
}

/** The styles and scripts in every page of Platen's theme. The pages of the other generators get the same. */
export interface ThemeAssets {
  /** Styles and scripts in the head of posts, and of list pages. */
  readonly posts: string;
  readonly lists: string;
  /** Scripts at the end of posts. */
  readonly tail: string;
}

/** Copies a generator's templates, which are next to the source of this module. */
export function copyTemplates(rival: string, folder: string): void {
  const dist = dirname(createRequire(import.meta.url).resolve('#dist/scripts/build-templates.js'));
  cpSync(join(dist, '..', '..', 'scripts', 'bench', 'rivals', rival), folder, { recursive: true });
  // In the repository, Go templates have the suffix .gohtml, so that HTML checks skip them.
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.gohtml'))
      renameSync(join(folder, name), join(folder, name.replace('.gohtml', '.html')));
  }
}

/** Writes the styles and scripts to the files `look-of-posts`, `look-of-lists` and `tail-of-posts`. */
export function writeThemeAssets(folder: string, { posts, lists, tail }: ThemeAssets, suffix: string): void {
  mkdirSync(folder, { recursive: true });
  const parts = { 'look-of-posts': posts, 'look-of-lists': lists, 'tail-of-posts': tail };
  for (const [name, part] of Object.entries(parts)) writeFileSync(join(folder, name + suffix), part);
}

/** Prepends lines to a configuration file. */
export const prependLines = (file: string, lines: readonly string[]): void =>
  writeFileSync(file, [...lines, readFileSync(file, 'utf8')].join('\n'));
