/** One page of a list, as the API sends it. */
export interface ListPage<Item> {
  readonly data: readonly Item[];
  readonly pagination?: { readonly page: number; readonly total_pages: number };
}

/** Of the pages that an iteration reads, so that it needs few requests. The API reduces it to what it allows. */
const PER_PAGE = 100;

interface PageQuery {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

/**
 * A list of the API. `await` gives one page, as the API sends it: the first, or that of `page` in the query.
 * `for await` gives every item of all pages from there on. Nothing is requested before.
 *
 * Pages are counted anew for each request, so an iteration may skip or repeat items while others are added or deleted:
 * to delete what a list has, read it to the end first, with `all()`.
 */
export class List<Page, Item, Query extends PageQuery = PageQuery>
  implements PromiseLike<Page>, AsyncIterable<Item>
{
  readonly #load: (query: Query) => Promise<Page & ListPage<Item>>;
  readonly #query: Query;

  constructor(load: (query: Query) => Promise<Page & ListPage<Item>>, query: Query) {
    this.#load = load;
    this.#query = query;
  }

  // biome-ignore lint/suspicious/noThenProperty: that one page can be awaited is the point
  then<Result = Page, Failure = never>(
    onPage?: ((page: Page) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#load(this.#query).then(onPage, onError);
  }

  catch<Failure = never>(
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Page | Failure> {
    return this.then(null, onError);
  }

  /** Every page, from the first or that of the query on, with 100 items unless the query says otherwise. */
  async *pages(): AsyncGenerator<Page & ListPage<Item>, void, undefined> {
    const query = { ...this.#query, per_page: this.#query.per_page ?? PER_PAGE };
    for (let page = this.#query.page ?? 1; ; page += 1) {
      const found = await this.#load({ ...query, page });
      yield found;
      if (!found.pagination || page >= found.pagination.total_pages) return;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** Every item of all pages, as an array. */
  async all(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}
