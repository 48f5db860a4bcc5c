import type { ApiClient } from './api-client.ts';
import type { FileMessage, FolderPost } from './posts-in-folder.ts';

export interface OldAddresses {
  /** Old addresses that could not be set, with the reason. */
  readonly notes: readonly FileMessage[];
  readonly rebuildIds: readonly string[];
}

/** Makes the former addresses of a post redirect to it. `blogId` is null if the key may not know the blog. */
export async function setOldAddresses(
  client: ApiClient,
  blogId: string | null,
  { file, slug, oldAddresses }: FolderPost,
): Promise<OldAddresses> {
  const to = `/${slug}/`;
  const notes: FileMessage[] = [];
  const rebuildIds: string[] = [];
  // One by one: one that the service refuses must not keep the others away.
  for (const address of oldAddresses) {
    const from = `/${address.replace(/^\/+/, '')}`;
    if (from.replace(/\/?$/, '/') === to) continue;
    const reply =
      blogId === null ? null : await client.request('POST', `/blogs/${blogId}/redirects`, { from, to });
    const reason = reply === null ? 'the key may not list blogs (scope blogs:read)' : reply.message;
    if (!reply?.ok) notes.push({ file, message: `${from} does not redirect to it: ${reason}` });
    if (reply?.body.rebuild_id) rebuildIds.push(reply.body.rebuild_id);
  }
  return { notes, rebuildIds };
}

/** The blog that posts are published to: the oldest that the key may see. */
export async function findBlogId(client: ApiClient): Promise<string | null> {
  return (await client.request('GET', '/blogs')).body.data?.[0]?.id ?? null;
}
