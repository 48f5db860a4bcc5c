import { z } from 'zod';
import type { ModerationResult, PostModerationResult } from '../../removal/moderation.ts';
import type { TakeDownState } from '../../take-downs/take-down.ts';
import { type Command, command } from '../command.ts';

const MAX_REASON = 500;

const json = z.boolean().default(false);
const blogSlug = z.string('is missing: name a blog by its slug').min(1, 'must not be empty');
const postName = z.string('is missing: name a post by its slug or its id').min(1, 'must not be empty');
const reason = z
  .string('is missing: the owner of the blog sees it')
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_REASON, `must be at most ${MAX_REASON} characters`);

const RETENTION_NOTE =
  'Its content stays in the database, and images stay online: the owner can delete them with\n' +
  'DELETE /v1/media/{id}, and `account delete` removes everything.';

const takeDownBlog = command({
  name: 'blog take-down',
  summary: 'Take a blog offline; its owner sees the reason and cannot publish on it',
  usage: '--slug <slug> --reason <text> [--json]',
  details: `Readers get a 404 for every page, and /v1/discover leaves the blog out. ${RETENTION_NOTE}`,
  positionals: [],
  options: { slug: 'string', reason: 'string', json: 'boolean' },
  input: z.object({ slug: blogSlug, reason, json }),
  async run({ moderation }, given) {
    const done = await moderation.takeDownBlog(given.slug, given.reason);
    if (given.json) return blogJson(done);
    return done.isNew
      ? `the blog ${given.slug} is taken down`
      : `the blog ${given.slug} was already taken down; the reason is updated`;
  },
});

const restoreBlog = command({
  name: 'blog restore',
  summary: 'Put a blog that was taken down back online',
  usage: '--slug <slug> [--json]',
  positionals: [],
  options: { slug: 'string', json: 'boolean' },
  input: z.object({ slug: blogSlug, json }),
  async run({ moderation }, given) {
    const done = await moderation.restoreBlog(given.slug);
    return given.json ? blogJson(done) : `the blog ${given.slug} is back online`;
  },
});

const takeDownPost = command({
  name: 'post take-down',
  summary: 'Take a post offline: it becomes a draft that its owner cannot publish; the owner sees the reason',
  usage: '--blog <slug> --slug <slug or id> --reason <text> [--json]',
  details: `It disappears from the blog, its feeds, search and sitemap, and its preview links stop working. ${RETENTION_NOTE}`,
  positionals: [],
  options: { blog: 'string', slug: 'string', reason: 'string', json: 'boolean' },
  input: z.object({ blog: blogSlug, slug: postName, reason, json }),
  async run({ moderation }, given) {
    const done = await moderation.takeDownPost(given.blog, given.slug, given.reason);
    if (given.json) return postJson(done);
    return done.isNew
      ? `the post ${given.slug} of ${given.blog} is taken down`
      : `the post ${given.slug} of ${given.blog} was already taken down; the reason is updated`;
  },
});

const restorePost = command({
  name: 'post restore',
  summary: 'Restore a post that was taken down; if it was published, it keeps its date',
  usage: '--blog <slug> --slug <slug or id> [--json]',
  positionals: [],
  options: { blog: 'string', slug: 'string', json: 'boolean' },
  input: z.object({ blog: blogSlug, slug: postName, json }),
  async run({ moderation }, given) {
    const done = await moderation.restorePost(given.blog, given.slug);
    return given.json
      ? postJson(done)
      : `the post ${given.slug} of ${given.blog} is ${done.post.status} again`;
  },
});

export const moderationCommands: readonly Command[] = [takeDownBlog, restoreBlog, takeDownPost, restorePost];

const blogJson = ({ blog, rebuildId }: ModerationResult): string =>
  JSON.stringify({ blog_id: blog.id, slug: blog.slug, ...takeDownJson(blog), rebuild_id: rebuildId });

const postJson = ({ blog, post, rebuildId }: PostModerationResult): string =>
  JSON.stringify({
    blog_id: blog.id,
    post_id: post.id,
    slug: post.slug,
    status: post.status,
    ...takeDownJson(post),
    rebuild_id: rebuildId,
  });

const takeDownJson = ({ takenDownAt, takenDownReason }: TakeDownState) => ({
  taken_down_at: takenDownAt,
  taken_down_reason: takenDownReason,
});
