import { pathToFileURL } from 'node:url';
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import type { LayoutFrame } from '../layouts/engine.ts';
import { linksFor } from '../markdown/links.ts';
import type { HtmlView } from '../page.ts';
import type { SiteBlog } from '../site/blog.ts';
import { templatePath } from '../template-path.ts';
import { pageLanguage } from '../words/page-language.ts';
import { withPostWords } from '../words/post-words.ts';
import { CUT_MARK, fillPlaceholders, type PlaceholderTexts, placeholdersFor } from './placeholders.ts';

/**
 * Renders a view with its layout's component into a whole HTML document. A frame replaces the theme's parts around the
 * content, or the content, too. A banner is HTML at the beginning of the body. Throws what the component throws.
 */
export type RenderView = (view: HtmlView, frame?: LayoutFrame | null, banner?: string) => string;

type Props = Record<string, unknown>;

/** Loads the compiled theme from `dist/templates`, which `npm run build` makes. */
export async function loadTemplates(): Promise<RenderView> {
  const [post, list, series, tags, archive, search, redirect, notFound] = await Promise.all([
    loadComponent('layouts/post.js'),
    loadComponent('layouts/list.js'),
    loadComponent('layouts/series.js'),
    loadComponent('layouts/tags.js'),
    loadComponent('layouts/archive.js'),
    loadComponent('layouts/search.js'),
    loadComponent('layouts/redirect.js'),
    loadComponent('pages/not-found.js'),
  ]);
  const components: Record<HtmlView['layout'], Component<Props>> = {
    post,
    list,
    series,
    tags,
    archive,
    search,
    redirect,
    'not-found': notFound,
  };
  return (view, frame = null, banner = '') => renderView(components[view.layout], view, frame, banner);
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

function renderView(
  component: Component<Props>,
  stored: HtmlView,
  frame: LayoutFrame | null,
  banner: string,
): string {
  const lang = pageLanguage(stored);
  const view = withWords(stored, lang);
  const texts = { ...placeholderTextsOf(view), banner };
  const places = placeholdersFor(texts);
  const { header, footer, ad } = places;
  const blog: SiteBlog = { ...view.blog, customCss: places.css, ownerHtml: { header, footer, ad } };
  const props =
    view.layout === 'post'
      ? { ...view, lang, blog, post: { ...view.post, html: places.post }, body: view.post.html }
      : { ...view, lang, blog };
  const { body } = render(component, { props });
  if (frame === null) return fillPlaceholders(body, texts);
  const [start = '', _above, content = '', _below, end = ''] = body
    .split(CUT_MARK)
    .map((part) => fillPlaceholders(part, texts));
  const [before, after] = frame;
  if (after === null) return `${start}${before}${end}`;
  return `${start}${before}<main id="Content" tabindex="-1">${content}</main>${after}${end}`;
}

/** A view whose post has the words of the page's language. */
const withWords = (view: HtmlView, lang: string): HtmlView =>
  view.layout === 'post'
    ? { ...view, post: { ...view.post, html: withPostWords(view.post.html, lang) } }
    : view;

/** Texts by authors and owners that Svelte must not change. A redirect has only the owner's style sheet. */
function placeholderTextsOf(view: HtmlView): Omit<PlaceholderTexts, 'banner'> {
  const { customCss, ownerHtml } = view.blog;
  const own = view.layout === 'redirect' ? { header: '', footer: '', ad: '' } : ownerHtml;
  return {
    ...own,
    // Cannot close the style element.
    css: customCss.replaceAll('</', '<\\/'),
    post: view.layout === 'post' ? linksFor(view.blog, view.post.html) : '',
  };
}
