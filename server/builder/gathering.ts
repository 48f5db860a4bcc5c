/**
 * Blogs that wait before their next rebuild, to gather changes. A blog that is written to during a rebuild waits as
 * long as that rebuild took, up to a maximum.
 */
export interface Gathering {
  readonly blogs: readonly string[];
  /** Lets a blog gather changes for this many milliseconds. */
  start(blogId: string, milliseconds: number): void;
}

const MAX_GATHER_MS = 200;

export function createGathering(onEnd: () => void): Gathering {
  const blogs = new Set<string>();
  return {
    get blogs() {
      return [...blogs];
    },
    start(blogId, milliseconds) {
      blogs.add(blogId);
      setTimeout(
        () => {
          blogs.delete(blogId);
          onEnd();
        },
        Math.min(milliseconds, MAX_GATHER_MS),
      );
    },
  };
}
