import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DatedPost } from './markdown-files.ts';

/** A generator of static sites that presses the same blog out of Markdown files. */
export interface Rival {
  readonly name: string;
  readonly version: string;
  /** Lays a blog out in an empty folder as the generator takes it. */
  lay(folder: string, blog: RivalBlog): LaidOut;
}

export interface LaidOut {
  /** What presses the blog. */
  readonly program: string;
  readonly args: readonly string[];
  /** Where it puts the pages. */
  readonly target: string;
  /** What else it leaves behind, by which the next press would be quicker. */
  readonly caches: readonly string[];
}

export interface RivalBlog {
  readonly title: string;
  /** Without a slash at its end. */
  readonly url: string;
  readonly posts: readonly DatedPost[];
  readonly look: Look;
}

/** What every page of Platen's theme carries that says nothing of the page: pages of rivals carry the same. */
export interface Look {
  /** Styles and scripts of the head of posts, and of lists. */
  readonly posts: string;
  readonly lists: string;
  /** Scripts at the end of posts. */
  readonly tail: string;
}

/** Copies a rival's templates, which stand beside the source of this module. */
export function copyTemplates(rival: string, folder: string): void {
  const dist = dirname(createRequire(import.meta.url).resolve('#dist/scripts/build-templates.js'));
  cpSync(join(dist, '..', '..', 'scripts', 'bench', 'rivals', rival), folder, { recursive: true });
  // Go's templates are no HTML to those who check ours.
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.gohtml'))
      renameSync(join(folder, name), join(folder, name.replace('.gohtml', '.html')));
  }
}

/** Writes the parts of the look to files: `look-of-posts`, `look-of-lists` and `tail-of-posts`. */
export function writeLook(folder: string, { posts, lists, tail }: Look, suffix: string): void {
  mkdirSync(folder, { recursive: true });
  const parts = { 'look-of-posts': posts, 'look-of-lists': lists, 'tail-of-posts': tail };
  for (const [name, part] of Object.entries(parts)) writeFileSync(join(folder, name + suffix), part);
}

/** Puts lines before those of a configuration file. */
export const setOptions = (file: string, lines: readonly string[]): void =>
  writeFileSync(file, [...lines, readFileSync(file, 'utf8')].join('\n'));
