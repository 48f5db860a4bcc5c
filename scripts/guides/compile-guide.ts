import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Component } from 'svelte';
import { render } from 'svelte/server';

/** Compiles a component or Markdown file to an ES module. */
export type Compile = (file: string, source: string) => Promise<string>;

type Props = Record<string, unknown>;

/** Renders a compiled component to HTML without Svelte's comments, which no page here needs. */
export async function renderComponent(file: string, props: Props = {}): Promise<string> {
  const module: unknown = await import(pathToFileURL(file).href);
  if (
    typeof module !== 'object' ||
    module === null ||
    !('default' in module) ||
    !isComponent(module.default)
  ) {
    throw new Error(`${file} has no component`);
  }
  return render(module.default, { props }).body.replace(/<!--.*?-->/gs, '');
}

function isComponent(value: unknown): value is Component<Props> {
  return typeof value === 'function';
}

/** Where the checkout is, where compiled files go, and how files are compiled. */
export interface GuideTools {
  readonly root: string;
  readonly dist: string;
  readonly compile: Compile;
}

/**
 * The HTML of a guide's source, by way of mdsvex. A page of the theme (`.svx`) is compiled already. Of a Markdown file,
 * the compiled component is written to `dist`, because a component must be imported from a file.
 */
export async function htmlOfSource({ root, dist, compile }: GuideTools, file: string): Promise<string> {
  const compiled = join(dist, file.replace(/\.[a-z]+$/, '.js'));
  if (file.endsWith('.svx')) return renderComponent(compiled);
  const code = await compile(file, await readFile(join(root, file), 'utf8'));
  await mkdir(dirname(compiled), { recursive: true });
  await writeFile(compiled, code);
  return renderComponent(compiled);
}
