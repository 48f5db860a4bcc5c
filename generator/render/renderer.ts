import { createHash } from 'node:crypto';
import type { Feed, HtmlView, OutputFile, Page, PageBody } from '../page.ts';
import { createPageRenderer } from './eleventy.ts';
import { createFeedWriter } from './feed/feed.ts';
import { headersFile } from './headers.ts';
import type { FramePages } from './layout/frame-pages.ts';
import { llmsFullTxt, llmsTxt } from './llms.ts';
import { recentJson } from './recent.ts';
import { sitemapIndexXml, sitemapXml } from './sitemap.ts';
import { sourceFile } from './source.ts';

export interface Renderer {
  /** The pages' files, in the order of the pages. Cards are not drawn here: they have a pool of their own. */
  render(pages: readonly Page[]): Promise<OutputFile[]>;
}

/**
 * Turns pages into bytes: the same page into the same bytes, whatever is rendered beside it. Told nothing of how to
 * frame pages, it leaves owners' layouts aside.
 */
export function createRenderer({ framePages = async () => new Map() }: RendererOptions = {}): Renderer {
  const html = createPageRenderer();
  const feed = createFeedWriter();
  return {
    async render(pages) {
      const views = pages.flatMap(({ body }) => (body.kind === 'html' ? [body.view] : []));
      const rendered = (views.length === 0 ? [] : await html.render(views, await framePages(views))).values();
      const writers = {
        html: (view: HtmlView) => rendered.next().value ?? unrendered(view),
        feed,
      };
      return Promise.all(pages.map(async (page) => outputFile(page, await contentOf(page.body, writers))));
    },
  };
}

export interface RendererOptions {
  readonly framePages?: FramePages;
}

/** What is not written page by page: HTML, which is rendered all at once, and feeds, which share posts. */
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
      return recentJson(body.changes);
    case 'sitemap':
      return sitemapXml(body.urls);
    case 'sitemap-index':
      return sitemapIndexXml(body.urls);
    case 'headers':
      return headersFile(body.blog);
    case 'text':
      return body.text;
    case 'card':
      throw new TypeError('cards are drawn by the card pool');
  }
}

function unrendered(view: HtmlView): never {
  throw new Error(`the page renderer left out a page of layout ${view.layout}`);
}

function outputFile({ key, path, stage }: Page, content: string | Uint8Array): OutputFile {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return { key, path, stage, bytes, hash: createHash('sha256').update(bytes).digest('hex') };
}
