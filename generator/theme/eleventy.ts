import { dirname } from 'node:path';
import type { default as Eleventy, PageData } from '@11ty/eleventy';
import type { Frame } from '../layouts/engine.ts';
import type { HtmlView } from '../page.ts';
import { templatePath } from './template-path.ts';
import { loadTemplates, type RenderView } from './templates.ts';

export interface PageRenderer {
  /**
   * One HTML document for each view, in the order of the views, in its frame where it has one. Calls take turns. A view that cannot be rendered
   * rejects the call with an error that names it, and leaves the renderer as it was.
   */
  render(views: readonly HtmlView[], frames?: ReadonlyMap<HtmlView, Frame>): Promise<string[]>;
}

/** What the one Eleventy template pages over: the views of the call whose turn it is, under an id each. */
interface Batch {
  readonly ids: readonly string[];
  readonly renderDocument: (id: string) => string;
}

/**
 * Documents on a page of Eleventy's, whose content is a list of them: what it does for each page is a fifth of what a
 * document takes.
 */
const TOGETHER = 16;

/** A long-lived Eleventy that renders from memory to memory: it reads no project and writes no file. */
export function createPageRenderer(): PageRenderer {
  let renderView: RenderView | undefined;
  let batch: Batch = { ids: [], renderDocument: () => '' };
  let eleventy: Eleventy | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  async function renderBatch(
    views: readonly HtmlView[],
    frames: ReadonlyMap<HtmlView, Frame>,
  ): Promise<string[]> {
    renderView ??= await loadTemplates();
    eleventy ??= await createEleventy(
      (ids) => ids.map(batch.renderDocument),
      () => batch.ids,
    );
    const inTheme = renderView;
    const failures: Error[] = [];
    batch = createBatch(views, (view) => inTheme(view, frames.get(view)), failures);
    const pages = await eleventy.toJSON();
    if (failures[0]) throw failures[0];
    const contents = new Map(pages.map((page) => [page.url, page.content]));
    const documents = Array.from(
      { length: Math.ceil(views.length / TOGETHER) },
      (_, number) => contents.get(address(number)) ?? [],
    ).flat();
    if (documents.length !== views.length) {
      throw new Error(`Eleventy returned ${documents.length} of ${views.length} documents`);
    }
    return documents;
  }

  return {
    render(views, frames = new Map()) {
      const result = turn.then(() => renderBatch(views, frames));
      turn = result.catch(() => undefined);
      return result;
    },
  };
}

/** Failures are collected rather than thrown: one that passed through Eleventy would be printed and wrapped. */
function createBatch(views: readonly HtmlView[], renderView: RenderView, failures: Error[]): Batch {
  const viewsById = new Map(views.map((view, index) => [String(index), view]));
  return {
    ids: [...viewsById.keys()],
    renderDocument(id) {
      const view = viewsById.get(id);
      if (!view) throw new Error(`Eleventy asked for a document ${id} that is not in its turn`);
      try {
        return renderView(view);
      } catch (error) {
        failures.push(new Error(`Cannot render ${describe(view)}: ${reason(error)}`, { cause: error }));
        return '';
      }
    },
  };
}

function describe(view: HtmlView): string {
  const which = view.layout === 'post' ? ` "${view.post.slug}"` : '';
  return `the ${view.layout} page${which} of the blog "${view.blog.slug}"`;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Not `.html`, so that none of Eleventy's HTML transforms takes an interest in the page. */
function address(page: number): string {
  return `/${page}.page`;
}

/** It is large, and slows down whatever is loaded after it: whoever renders nothing does without it. */
async function createEleventy(
  renderPage: (ids: readonly string[]) => string[],
  ids: () => readonly string[],
): Promise<Eleventy> {
  const { default: Eleventy } = await import('@11ty/eleventy');
  // The input folder must exist. This one is ours and holds nothing in the format `view`.
  const input = dirname(templatePath('layouts/post.js'));
  const eleventy = new Eleventy(input, undefined, {
    configPath: '',
    quietMode: true,
    loader: 'esm',
    config(config) {
      // Set up before it is told to be quiet, this would complain of a slow machine.
      config.benchmarks.config.setIsVerbose(false);
      config.setUseGitIgnore(false);
      // There is nothing to compile, and much to do to find out that there is nothing to compile anew.
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
        pagination: { data: 'ids', size: TOGETHER },
        permalink: (data: PageData) => address(data.pagination.pageNumber),
      });
    },
  });
  eleventy.disableLogger();
  return eleventy;
}
