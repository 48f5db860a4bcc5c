import type { Context } from '../command-line/context.ts';
import { count, toggle } from '../command-line/flags.ts';
import { type Column, table } from '../terminal/table.ts';
import { printJson } from './answers.ts';

/** Options of lists that come in pages. */
export const pageFlags = {
  page: count('which page (1)'),
  perPage: count('entries on a page (20)', { max: 100 }),
  all: toggle('every page; with --json, a line for each entry'),
};

/** The option of lists that come whole, so that programs can read all lists in the same way. */
export const wholeListFlags = { all: toggle('with --json, a line for each entry') };

export interface ListLook<Item> {
  readonly columns: readonly Column<Item>[];
  /** What to say if there is none. */
  readonly empty: string;
}

interface PageOf<Item> {
  readonly data: readonly Item[];
  readonly pagination?: { readonly page: number; readonly total: number; readonly total_pages: number };
}

/**
 * Shows a page of a list, or all of it, as a table. With `--json` a page is an array, and all of it a line of JSON for
 * each entry.
 */
export async function showList<Item>(
  context: Pick<Context, 'terminal' | 'common'>,
  list: PromiseLike<PageOf<Item>> & AsyncIterable<Item>,
  { all }: { readonly all: boolean },
  look: ListLook<Item>,
): Promise<void> {
  if (all) await showAll(context, list, look);
  else showPage(context, await list, look);
}

async function showAll<Item>(
  { terminal, common }: Pick<Context, 'terminal' | 'common'>,
  list: AsyncIterable<Item>,
  { columns, empty }: ListLook<Item>,
): Promise<void> {
  const rows: Item[] = [];
  let isEmpty = true;
  for await (const item of list) {
    isEmpty = false;
    // Written as the pages come, because the list may be long. Only a table has to know all of it.
    if (common.json) terminal.print(`${JSON.stringify(item)}\n`);
    else if (terminal.columns === null) terminal.print(table(terminal, columns, [item]));
    else rows.push(item);
  }
  if (rows.length > 0) terminal.print(table(terminal, columns, rows));
  if (isEmpty && !common.json) terminal.tell(`${empty}\n`);
}

function showPage<Item>(
  { terminal, common }: Pick<Context, 'terminal' | 'common'>,
  { data, pagination }: PageOf<Item>,
  { columns, empty }: ListLook<Item>,
): void {
  if (common.json) printJson({ terminal }, data);
  else if (data.length > 0) terminal.print(table(terminal, columns, data));
  else if (!pagination?.total) terminal.tell(`${empty}\n`);
  if (pagination === undefined || common.json || terminal.columns === null) return;
  const { page, total, total_pages: pages } = pagination;
  if (pages <= 1) return;
  const next =
    page < pages ? `--page ${page + 1} shows the next ones, and --all everything` : '--all shows everything';
  terminal.tell(`\nPage ${page} of ${pages}, ${total} in all; ${next}\n`);
}
