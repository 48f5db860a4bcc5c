import { NotFoundError } from './errors.ts';
import type { BlogList } from './generated/types.ts';

/** Finds ids of blogs. A list of blogs is loaded when it is needed first, and kept. */
export interface BlogIds {
  /** Id of the blog with this id or slug. Throws a NotFoundError if the key reaches no such blog. */
  find(blog: string, signal: AbortSignal | undefined): Promise<string>;
  /** Id of the blog that the API acts on if a request names none. */
  first(signal: AbortSignal | undefined): Promise<string>;
  /** Forgets the list, after a blog was created, changed or deleted. */
  forget(): void;
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export function createBlogIds(load: () => Promise<BlogList>): BlogIds {
  let kept: Promise<BlogList> | undefined;

  function list(): Promise<BlogList> {
    const loading = load();
    kept = loading;
    loading.catch(() => {
      if (kept === loading) kept = undefined;
    });
    return loading;
  }

  async function lookUp(slug: string): Promise<string> {
    const withSlug = async (blogs: Promise<BlogList>) =>
      (await blogs).data.find((blog) => blog.slug === slug)?.id;
    // The blog may be newer than the list that is kept.
    const id = (kept && (await withSlug(kept))) ?? (await withSlug(list()));
    if (id !== undefined) return id;
    throw new NotFoundError(
      'not_found',
      `this API key reaches no blog with the slug ${JSON.stringify(slug)}`,
    );
  }

  async function lookUpFirst(): Promise<string> {
    const [blog] = (await (kept ?? list())).data;
    if (blog) return blog.id;
    throw new NotFoundError('not_found', 'this account has no blog: create one with blogs.create()');
  }

  return {
    find: async (blog, signal) => (uuid.test(blog) ? blog : unlessAborted(lookUp(blog), signal)),
    first: (signal) => unlessAborted(lookUpFirst(), signal),
    forget() {
      kept = undefined;
    },
  };
}

/** Rejects with the reason of the signal as soon as that is aborted. The work goes on, as others may wait for it. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  let abort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}
