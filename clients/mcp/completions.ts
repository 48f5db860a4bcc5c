import type { McpServerSettings } from './settings.ts';

/** The protocol's limit for one answer. */
const MAX_VALUES = 100;

/** What a client offers while a person types. Never rejects: if the list fails, it is empty. */
export interface Completions {
  blogs(typed: string): Promise<string[]>;
  /** Slugs of posts of a blog, or of the active one; the newest first. */
  posts(typed: string, blog?: string): Promise<string[]>;
}

export function completionsOf({ platen, activeBlog }: McpServerSettings): Completions {
  const beginningWith = (typed: string, slugs: readonly string[]) => {
    const beginning = typed.trim().toLowerCase();
    return slugs.filter((slug) => slug.startsWith(beginning)).slice(0, MAX_VALUES);
  };
  return {
    async blogs(typed) {
      const { data } = await platen.blogs.list().catch(() => ({ data: [] }));
      return beginningWith(
        typed,
        data.map(({ slug }) => slug),
      );
    },
    async posts(typed, blog) {
      // One page: completing must not cost a request for every hundred posts.
      const query = { per_page: MAX_VALUES, sort: 'updated_at' } as const;
      const options = { blog: blog || activeBlog.current() };
      const { data } = await platen.posts.list(query, options).catch(() => ({ data: [] }));
      return beginningWith(
        typed,
        data.map(({ slug }) => slug),
      );
    },
  };
}
