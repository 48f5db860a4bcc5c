import { createHash } from 'node:crypto';
import type { HtmlView, OutputFile, Page, PageBody } from '../site.ts';
import { createPageRenderer } from './eleventy.ts';
import { atomFeed } from './feed.ts';
import { sitemapIndexXml, sitemapXml } from './sitemap.ts';

export interface Renderer {
  /** The pages' files, in the order of the pages. Cards are not drawn here: they have a pool of their own. */
  render(pages: readonly Page[]): Promise<OutputFile[]>;
}

/** Turns pages into bytes: the same page into the same bytes, whatever is rendered beside it. */
export function createRenderer(): Renderer {
  const html = createPageRenderer();
  return {
    async render(pages) {
      const views = pages.flatMap(({ body }) => (body.kind === 'html' ? [body.view] : []));
      const rendered = (views.length === 0 ? [] : await html.render(views)).values();
      return pages.map((page) => outputFile(page, textOf(page.body, rendered)));
    },
  };
}

function textOf(body: PageBody, rendered: Iterator<string, undefined>): string {
  switch (body.kind) {
    case 'html':
      return rendered.next().value ?? unrendered(body.view);
    case 'feed':
      return atomFeed(body.blog, body.posts);
    case 'sitemap':
      return sitemapXml(body.urls);
    case 'sitemap-index':
      return sitemapIndexXml(body.urls);
    case 'text':
      return body.text;
    case 'card':
      throw new TypeError('cards are drawn by the card pool');
  }
}

function unrendered(view: HtmlView): never {
  throw new Error(`the page renderer left out a page of layout ${view.layout}`);
}

function outputFile({ key, path, stage }: Page, text: string): OutputFile {
  const bytes = Buffer.from(text);
  return { key, path, stage, bytes, hash: createHash('sha256').update(bytes).digest('hex') };
}
