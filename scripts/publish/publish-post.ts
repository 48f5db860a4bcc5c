import type { ApiClient, ApiResponse } from './api-client.ts';
import type { FolderPost } from './posts-in-folder.ts';

/** Result for one post; `rebuildId` is null if nothing has to be rebuilt. */
export type PublishResult =
  | {
      readonly kind: 'published' | 'updated';
      readonly url: string | undefined;
      readonly rebuildId: string | null;
    }
  | { readonly kind: 'failed'; readonly message: string };

/** Creates and publishes the post, or updates and publishes the post that already has its slug. */
export async function publishPost(client: ApiClient, post: FolderPost): Promise<PublishResult> {
  const { title, content, slug, tags, description, translations, publishedAt: published_at } = post;
  // Undefined fields are omitted from the body, so an update leaves them unchanged.
  const meta = description === undefined ? undefined : { description };
  const { type, ...details } = post.details;
  const fields = { title, content, tags, meta, translations, ...details };
  const created = await client.request('POST', '/posts', {
    ...fields,
    ...(type === 'page' && { type }),
    slug,
    status: 'published',
    published_at,
  });
  if (created.ok) return outcome('published', created);
  if (created.status !== 409) return failed(created);

  const address = `/posts/${encodeURIComponent(slug)}`;
  const updated = await client.request('PUT', address, fields);
  // The slug is taken but has no post: it is reserved, as the first response explains.
  if (updated.status === 404) return failed(created);
  if (!updated.ok) return failed(updated);
  if (updated.body.status === 'published' && updated.body.url !== undefined) {
    if (published_at === undefined || published_at === updated.body.published_at)
      return outcome('updated', updated);
    // Only a published post takes another date.
    const dated = await client.request('PUT', address, { published_at });
    return dated.ok ? outcome('updated', dated) : failed(dated);
  }

  // It was a draft, or the response has no URL. Publishing a published post changes nothing.
  const published = await client.request('POST', `${address}/publish`, { published_at });
  if (!published.ok) return failed(published);
  const now = outcome('updated', published);
  return { ...now, rebuildId: now.rebuildId ?? updated.body.rebuild_id ?? null };
}

const outcome = (kind: 'published' | 'updated', { body }: ApiResponse) => ({
  kind,
  url: body.url,
  rebuildId: body.rebuild_id ?? null,
});

const failed = ({ message }: ApiResponse): PublishResult => ({ kind: 'failed', message });
