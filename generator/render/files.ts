import { hash } from 'node:crypto';
import { createFeedWriter } from '../feeds/feed.ts';
import type { LayoutFrame } from '../layouts/engine.ts';
import type { Feed, HtmlView, OutputFile, Page, PageBody } from '../page.ts';
import { createHtmlRenderer } from '../theme/eleventy.ts';
import { headersFile } from './headers.ts';
import { llmsFullTxt, llmsTxt } from './llms.ts';
import { recentIndexJson } from './recent-index-json.ts';
import { redirectHtml } from './redirect-html.ts';
import { sitemapIndexXml, sitemapXml } from './sitemap.ts';
import { sourceFile } from './source.ts';

/** Builds the pages' files, in page order; a page that has a frame is put in it. Throws for cards. */
export type WriteFiles = (
  pages: readonly Page[],
  frames: ReadonlyMap<HtmlView, LayoutFrame>,
) => Promise<OutputFile[]>;

/** Turns pages into bytes. The same page always gives the same bytes, whatever other pages are in the call. */
export function createFileWriter(): WriteFiles {
  const html = createHtmlRenderer();
  const feed = createFeedWriter();
  return async (pages, frames) => {
    const views = viewsOf(pages);
    const rendered = (views.length === 0 ? [] : await html.render(views, frames)).values();
    const writers = { html: (view: HtmlView) => rendered.next().value ?? throwUnrendered(view), feed };
    return Promise.all(pages.map(async (page) => outputFile(page, await contentOf(page.body, writers))));
  };
}

/** The views of the HTML pages among `pages`. */
export const viewsOf = (pages: readonly Page[]): HtmlView[] =>
  pages.flatMap(({ body }) => (body.kind === 'html' ? [body.view] : []));

/** Writers with state shared between pages: HTML is rendered in one batch, and feeds share entries. */
interface Writers {
  readonly html: (view: HtmlView) => string;
  readonly feed: (feed: Feed) => Uint8Array;
}

function contentOf(body: PageBody, writers: Writers): string | Uint8Array | Promise<string> {
  switch (body.kind) {
    case 'html':
      return writers.html(body.view);
    case 'feed':
      return writers.feed(body.feed);
    case 'source':
      return sourceFile(body.blog, body.post);
    case 'llms':
      return llmsTxt(body.blog, body.posts);
    case 'llms-full':
      return llmsFullTxt(body.blog, body.posts);
    case 'host':
      return `${JSON.stringify(body.host)}\n`;
    case 'recent':
      return recentIndexJson(body.changes);
    case 'sitemap':
      return sitemapXml(body.urls);
    case 'sitemap-index':
      return sitemapIndexXml(body.urls);
    case 'headers':
      return headersFile(body.blog);
    case 'redirect':
      return redirectHtml(body.to);
    case 'text':
      return body.text;
    case 'bytes':
      return body.bytes;
    case 'card':
      throw new TypeError('cards are drawn by the card pool');
  }
}

function throwUnrendered(view: HtmlView): never {
  throw new Error(`the page renderer left out a page of layout ${view.layout}`);
}

function outputFile({ key, path, stage }: Page, content: string | Uint8Array): OutputFile {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return { key, path, stage, bytes, hash: hash('sha256', bytes) };
}
