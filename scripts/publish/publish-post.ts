import type { ApiClient, ApiReply } from './api-client.ts';
import type { FolderPost } from './posts-in-folder.ts';

/** What became of one post; `rebuildId` is null where nothing has to be pressed. */
export type Outcome =
  | {
      readonly kind: 'published' | 'updated';
      readonly url: string | undefined;
      readonly rebuildId: string | null;
    }
  | { readonly kind: 'failed'; readonly message: string };

/** Creates the post as published, or, where its slug is there already, gives that post the file's content. */
export async function publishPost(client: ApiClient, post: FolderPost): Promise<Outcome> {
  const { title, content, slug, tags, description, translations } = post;
  // What the file does not say stays out of the body, and as it is.
  const meta = description === undefined ? undefined : { description };
  const fields = { title, content, tags, meta, translations };
  const created = await client.request('POST', '/posts', { ...fields, slug, status: 'published' });
  if (created.ok) return outcome('published', created);
  if (created.status !== 409) return failed(created);

  const address = `/posts/${encodeURIComponent(slug)}`;
  const updated = await client.request('PUT', address, fields);
  // Taken, yet no post: a slug that the blog keeps for itself, which the first answer explains.
  if (updated.status === 404) return failed(created);
  if (!updated.ok) return failed(updated);
  if (updated.body.status === 'published' && updated.body.url !== undefined)
    return outcome('updated', updated);

  // It was a draft, or the answer left the address out; publishing what is published changes nothing.
  const published = await client.request('POST', `${address}/publish`);
  if (!published.ok) return failed(published);
  const now = outcome('updated', published);
  return { ...now, rebuildId: now.rebuildId ?? updated.body.rebuild_id ?? null };
}

const outcome = (kind: 'published' | 'updated', { body }: ApiReply) => ({
  kind,
  url: body.url,
  rebuildId: body.rebuild_id ?? null,
});

const failed = ({ message }: ApiReply): Outcome => ({ kind: 'failed', message });
