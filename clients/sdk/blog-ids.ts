import { NotFoundError } from './errors.ts';
import type { BlogList } from './generated/types.ts';

/** Finds ids of blogs. A list of blogs is loaded when it is needed first, and kept. */
export interface BlogIds {
  /** Id of the blog with this id or slug. Throws a NotFoundError if the key reaches no such blog. */
  find(blog: string): Promise<string>;
  /** Id of the blog that the API acts on if a request names none. */
  first(): Promise<string>;
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

  const withSlug = async (blogs: Promise<BlogList>, slug: string) =>
    (await blogs).data.find((blog) => blog.slug === slug)?.id;

  return {
    async find(blog) {
      if (uuid.test(blog)) return blog;
      const known = kept;
      // The blog may be newer than the list that is kept.
      const id = (known && (await withSlug(known, blog))) ?? (await withSlug(list(), blog));
      if (id !== undefined) return id;
      throw new NotFoundError(
        'not_found',
        `this API key reaches no blog with the slug ${JSON.stringify(blog)}`,
      );
    },
    async first() {
      const [blog] = (await (kept ?? list())).data;
      if (blog) return blog.id;
      throw new NotFoundError('not_found', 'this account has no blog: create one with blogs.create()');
    },
    forget() {
      kept = undefined;
    },
  };
}
