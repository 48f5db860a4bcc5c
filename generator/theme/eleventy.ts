import { dirname } from 'node:path';
import type { default as Eleventy, PageData } from '@11ty/eleventy';
import type { LayoutFrame } from '../layouts/engine.ts';
import type { HtmlView } from '../page.ts';
import { templatePath } from '../template-path.ts';
import { memoised } from '../workers/memoised.ts';
import { loadTemplates, type RenderView } from './templates.ts';

export interface HtmlRenderer {
  /**
   * Returns an HTML document for each view, in the order of the views, in the view's frame if there is one. Calls run
   * one after the other. If a view cannot be rendered, the call rejects with an error that names it, and the renderer
   * stays usable.
   */
  render(views: readonly HtmlView[], frames?: ReadonlyMap<HtmlView, LayoutFrame>): Promise<string[]>;
}

/** The data that the only Eleventy template paginates over: the ids of the current call's views. */
interface Batch {
  readonly ids: readonly string[];
  readonly renderDocument: (id: string) => string;
}

/** Documents per Eleventy page: Eleventy's overhead for a page is a fifth of the time that a document takes. */
const DOCUMENTS_PER_PAGE = 16;

/** A long-lived Eleventy that renders in memory: it reads no project and writes no file. */
export function createHtmlRenderer(): HtmlRenderer {
  let batch: Batch = { ids: [], renderDocument: () => '' };
  const loadedTemplates = memoised(loadTemplates);
  const startedEleventy = memoised(() =>
    createEleventy(
      (ids) => ids.map(batch.renderDocument),
      () => batch.ids,
    ),
  );
  let previousCall: Promise<unknown> = Promise.resolve();

  async function renderBatch(
    views: readonly HtmlView[],
    frames: ReadonlyMap<HtmlView, LayoutFrame>,
  ): Promise<string[]> {
    const renderView = await loadedTemplates();
    const eleventy = await startedEleventy();
    const failures: Error[] = [];
    batch = createBatch(views, (view) => renderView(view, frames.get(view)), failures);
    const pages = await eleventy.toJSON();
    if (failures[0]) throw failures[0];
    const contents = new Map(pages.map((page) => [page.url, page.content]));
    const documents = Array.from(
      { length: Math.ceil(views.length / DOCUMENTS_PER_PAGE) },
      (_, number) => contents.get(pageUrl(number)) ?? [],
    ).flat();
    if (documents.length !== views.length) {
      throw new Error(`Eleventy returned ${documents.length} of ${views.length} documents`);
    }
    return documents;
  }

  return {
    render(views, frames = new Map()) {
      const result = previousCall.then(() => renderBatch(views, frames));
      previousCall = result.catch(() => undefined);
      return result;
    },
  };
}

/** Collects failures instead of throwing them: Eleventy would print and wrap an error. */
function createBatch(views: readonly HtmlView[], renderView: RenderView, failures: Error[]): Batch {
  const viewsById = new Map(views.map((view, index) => [String(index), view]));
  return {
    ids: [...viewsById.keys()],
    renderDocument(id) {
      const view = viewsById.get(id);
      if (!view) throw new Error(`Eleventy requested a document ${id} that is not in the current batch`);
      try {
        return renderView(view);
      } catch (error) {
        failures.push(new Error(`Cannot render ${viewName(view)}: ${reason(error)}`, { cause: error }));
        return '';
      }
    },
  };
}

function viewName(view: HtmlView): string {
  const which = view.layout === 'post' ? ` "${view.post.slug}"` : '';
  return `the ${view.layout} page${which} of the blog "${view.blog.folder}"`;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Not `.html`, so that Eleventy's HTML transforms skip the page. */
function pageUrl(page: number): string {
  return `/${page}.page`;
}

/** Imports Eleventy on first use: it is large, and slows down the loading of later modules. */
async function createEleventy(
  renderPage: (ids: readonly string[]) => string[],
  ids: () => readonly string[],
): Promise<Eleventy> {
  const { default: Eleventy } = await import('@11ty/eleventy');
  // The input folder must exist. This one is ours and has no file in the format `view`.
  const input = dirname(templatePath('layouts/post.js'));
  const eleventy = new Eleventy(input, undefined, {
    configPath: '',
    quietMode: true,
    loader: 'esm',
    config(config) {
      // Benchmarks start before `disableLogger`, and would print warnings on a slow machine.
      config.benchmarks.config.setIsVerbose(false);
      config.setUseGitIgnore(false);
      // Nothing has to be compiled, and checking the cache costs more than it saves.
      config.setUseTemplateCache(false);
      config.setDataFileSuffixes([]);
      config.on('eleventy.config', (project) => {
        project.getConfig().keys.package = false;
      });
      config.setTemplateFormats(['view']);
      config.addExtension('view', {
        getData: () => ({ ids: ids() }),
        compile: () => (data) => renderPage(data.pagination.items),
        compileOptions: { permalink: 'raw' },
      });
      config.addTemplate('pages.view', '', {
        pagination: { data: 'ids', size: DOCUMENTS_PER_PAGE },
        permalink: (data: PageData) => pageUrl(data.pagination.pageNumber),
      });
    },
  });
  eleventy.disableLogger();
  return eleventy;
}
