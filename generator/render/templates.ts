import { pathToFileURL } from 'node:url';
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import type { HtmlView } from '../site.ts';
import { templatePath } from './template-path.ts';

/** Renders a view with the component of its layout: a whole HTML document. Throws what the component throws. */
export type RenderView = (view: HtmlView) => string;

type Props = Record<string, unknown>;

/** Loads the compiled theme from `dist/templates`, which `npm run build` makes. */
export async function loadTemplates(): Promise<RenderView> {
  const [post, list, tags, archive, redirect, notFound] = await Promise.all([
    loadComponent('layouts/post.js'),
    loadComponent('layouts/list.js'),
    loadComponent('layouts/tags.js'),
    loadComponent('layouts/archive.js'),
    loadComponent('layouts/redirect.js'),
    loadComponent('pages/not-found.js'),
  ]);
  const components: Record<HtmlView['layout'], Component<Props>> = {
    post,
    list,
    tags,
    archive,
    redirect,
    'not-found': notFound,
  };
  return (view) => renderView(components[view.layout], view);
}

async function loadComponent(name: string): Promise<Component<Props>> {
  const module: unknown = await import(pathToFileURL(templatePath(name)).href);
  if (typeof module === 'object' && module !== null && 'default' in module && isComponent(module.default)) {
    return module.default;
  }
  throw new Error(`The compiled template ${name} has no component`);
}

function isComponent(value: unknown): value is Component<Props> {
  return typeof value === 'function';
}

/** Stands in for the body of a post: no text can be mistaken for it, because Svelte escapes every `<` of a text. */
const slot = '<!--post-html-->';

/**
 * Svelte marks its output with comments for hydration, which no page here needs. They are taken out of what the
 * theme itself has written; the body of a post, which may hold anything, never passes through that.
 */
function renderView(component: Component<Props>, view: HtmlView): string {
  if (view.layout !== 'post') return withoutComments(render(component, { props: { ...view } }).body);
  const { html } = view.post;
  const { body } = render(component, { props: { ...view, post: { ...view.post, html: slot }, body: html } });
  return body.split(slot).map(withoutComments).join(html);
}

function withoutComments(html: string): string {
  return html.replace(/<!--.*?-->/g, '');
}
