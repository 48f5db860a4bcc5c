import { LRUCache } from 'lru-cache';
import type { Blog } from '../blogs/blog.ts';
import type { BlogUrl } from '../config/config.ts';
import { etagOfPost } from '../http/etag.ts';
import { SerialisedJson } from '../http/serialised-json.ts';
import type { PostState } from './post.ts';
import type { Posts } from './posts.ts';
import { presentPost } from './schemas.ts';

/** Approximate cache budget in bytes. */
const CACHE_BYTES = 32 * 1024 * 1024;

/** Cached responses for single posts. */
export interface PostResponses {
  /** Throws `not_found`. */
  find(blog: Blog, slug: string): Promise<SerialisedJson>;
}

/**
 * The cache key is the post's state, which is read for every request. The long texts are read and serialised again
 * only if the post has changed.
 */
export function createPostResponses({
  posts,
  blogUrl,
  mediaUrl,
}: {
  posts: Pick<Posts, 'get' | 'getState'>;
  blogUrl: BlogUrl;
  mediaUrl: string;
}): PostResponses {
  const cache = new LRUCache<string, SerialisedJson>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ length }, key) => length + key.length,
  });
  const keyOf = (blog: Blog, state: PostState) => JSON.stringify([blogUrl(blog), state]);

  return {
    async find(blog, slug) {
      const key = keyOf(blog, await posts.getState(blog, slug));
      const known = cache.get(key);
      if (known) return known;
      const post = presentPost(await posts.get(blog, slug), blogUrl(blog), mediaUrl);
      const answer = new SerialisedJson(post, etagOfPost(post));
      // The post may have changed while its texts were read.
      if (keyOf(blog, await posts.getState(blog, slug)) === key) cache.set(key, answer);
      return answer;
    },
  };
}
