import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { languageMistakesOf } from '../addresses/language-mistakes.ts';
import type { Blog } from '../blogs/blog.ts';
import type { Blogs } from '../blogs/blogs.ts';
import { selectBlog } from '../blogs/select-blog.ts';
import type { BlogUrl } from '../config/config.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { presentError } from '../http/errors.ts';
import { parseInput } from '../input/parse-input.ts';
import { assertIncludes } from '../tiers/feature.ts';
import { batchBody, batchFields, batchResults, createPostBody, parseNewPost } from './create-schemas.ts';
import type { WrittenPost } from './post.ts';
import type { Posts } from './posts.ts';
import { presentCreated } from './schemas.ts';

interface BatchRoutes {
  readonly posts: Posts;
  readonly blogs: Blogs;
  readonly blogUrl: BlogUrl;
  readonly upgradeUrl: string;
  readonly config: { readonly publicUrl: string };
}

type Result = z.infer<typeof batchResults>['results'][number];

/** A post of a batch, or why it is invalid: the others are created all the same. */
type ParsedPost = { readonly body: z.infer<typeof createPostBody> } | { readonly error: unknown };

function parsePost(input: unknown): ParsedPost {
  try {
    return { body: parseInput(createPostBody, input, 'the post') };
  } catch (error) {
    return { error };
  }
}

export function batchEndpoints({ posts, blogs, blogUrl, upgradeUrl, config }: BatchRoutes): Endpoint[] {
  async function create(
    caller: Caller,
    blog: Blog,
    post: ParsedPost,
    once: (write: () => Promise<WrittenPost>) => Promise<WrittenPost>,
  ) {
    if ('error' in post) throw post.error;
    const written = await once(() => posts.create(caller, blog, parseNewPost(post.body)));
    const result: Result = { status: 201, post: presentCreated(written, blogUrl(blog)) };
    return { result, rebuildId: written.rebuildId };
  }

  return [
    endpoint({
      method: 'post',
      path: '/posts\\:batch',
      id: 'createPosts',
      summary: 'Create up to 100 posts, with a result for each',
      idempotent: true,
      description:
        'Each post is validated and created on its own, as with `createPost`. Scale plan and above.',
      selectsBlog: true,
      scope: 'posts:write',
      body: batchBody,
      fields: batchFields,
      status: 200,
      response: batchResults,
      async handle(call) {
        assertIncludes(call.caller.tier, 'batch', upgradeUrl);
        const blog = await selectBlog(blogs, call);
        const parsed = call.body.posts.map(parsePost);
        for (const [index, post] of parsed.entries()) {
          if ('body' in post) call.report(languageMistakesOf(post.body, `posts[${index}].`));
        }
        const results: Result[] = [];
        let lastRebuildId: string | null = null;
        // Sequential: the order of the batch is the order in the blog, and the quota has no races. Each post is a
        // transaction of its own, so a repeated request continues an interrupted batch.
        await call.withIdempotency(blog.id, async (once) => {
          for (const [index, post] of parsed.entries()) {
            try {
              const { result, rebuildId } = await create(call.caller, blog, post, (write) =>
                once(write, index),
              );
              results.push(result);
              lastRebuildId = rebuildId ?? lastRebuildId;
            } catch (error) {
              const { status, body } = presentError(error, config.publicUrl);
              if (status >= 500) throw error;
              results.push({ status, error: body });
            }
          }
        });
        await call.waitUntilLive({ rebuildId: lastRebuildId });
        return { results };
      },
    }),
  ];
}
