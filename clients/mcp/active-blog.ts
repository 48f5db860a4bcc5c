/** The blog that a tool acts on if its call names none. */
export interface ActiveBlog {
  /** Slug or id; undefined for the API's default: the blog of the key, or the oldest. */
  readonly current: () => string | undefined;
  /** Remembers a blog for later calls; null if nothing is remembered between calls. */
  readonly choose: ((blog: string) => void) | null;
}

/** For a process with one user: the choice lasts as long as the process. */
export function rememberedBlog(preset?: string): ActiveBlog {
  let blog = preset;
  return {
    current: () => blog,
    choose(chosen) {
      blog = chosen;
    },
  };
}

/** For a server without sessions. Requests of one key may come from several conversations, so none can choose for all. */
export const fixedBlog = (blog?: string): ActiveBlog => ({ current: () => blog, choose: null });
