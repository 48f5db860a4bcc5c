import type { ChangedPost, Post } from '../../../sdk/index.ts';
import type { FolderPost } from '../../folder/folder-post.ts';
import type { PreparedDeploy } from '../plan/prepare.ts';

/** Brings a post to the status that its file has, which an update never changes. Resolves to the post as it is then. */
export async function setStatus(
  { options: { platen, signal }, patiently }: Pick<PreparedDeploy, 'options' | 'patiently'>,
  { status, date }: FolderPost,
  post: ChangedPost,
  note: (answer: { readonly rebuild_id?: string }) => void,
): Promise<Post> {
  const { slug } = post;
  const isAsPlanned =
    status !== 'scheduled' || Date.parse(post.scheduled_at ?? '') === Date.parse(date ?? '');
  if (status === post.status && isAsPlanned) return post;
  note(
    await patiently<{ readonly rebuild_id?: string }>(() => {
      if (status === 'draft') return platen.posts.unpublish(slug, { signal });
      if (status === 'scheduled')
        return platen.posts.schedule(slug, { scheduled_at: date ?? '' }, { signal });
      return platen.posts.publish(slug, { published_at: date }, { signal });
    }),
  );
  return patiently(() => platen.posts.get(slug, { signal }));
}
