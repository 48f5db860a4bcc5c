import {
  ConnectionError,
  NotFoundError,
  type Post,
  PreconditionFailedError,
  responseOf,
} from '../../../sdk/index.ts';
import { comparePost } from '../plan/compare.ts';
import { type Action, CHANGED } from '../plan/plan.ts';
import type { PreparedDeploy } from '../plan/prepare.ts';
import type { PostState } from '../plan/state.ts';
import { imagesOf, updateBody } from './bodies.ts';
import type { Ledger } from './ledger.ts';
import { setStatus } from './set-status.ts';
import type { Uploads } from './uploads.ts';

type Update = Action & { readonly kind: 'update' };
type Deletion = Action & { readonly kind: 'delete' };

/** Changes and deletes posts in Platen, each only in the version that the plan has seen. */
export interface Changes {
  /** Throws a PreconditionFailedError if the post has changed since. */
  update(action: Update): Promise<void>;
  /** The same. A post that is gone already is as good as deleted. */
  remove(action: Deletion): Promise<void>;
  /**
   * Whether the post in Platen is what the file says already, because the answer to an earlier request was lost. It is
   * then kept as sent.
   */
  isThere(post: { readonly file: string; readonly slug: string }): Promise<boolean>;
}

/** Attempts at an update whose answer is lost. */
const MAX_ATTEMPTS = 3;

export function createChanges(prepared: PreparedDeploy, uploads: Uploads, ledger: Ledger): Changes {
  const { options, state, patiently } = prepared;
  const { platen, signal } = options;

  /** The version for `If-Match`, which must be the one that the plan saw. */
  async function versionOf({ remote, known }: Update | Deletion): Promise<string | undefined> {
    if (known !== undefined && known.etag !== null && known.updated_at === remote.updated_at)
      return known.etag;
    const post = await patiently(() => platen.posts.get(remote.slug, { signal }));
    if (post.updated_at === remote.updated_at) return responseOf(post).etag;
    throw new PreconditionFailedError('precondition_failed', CHANGED);
  }

  async function updateOnce(action: Update): Promise<void> {
    const { file, remote } = action;
    const post = await prepared.read(file);
    const addresses = await uploads.addresses(imagesOf(post));
    const isDated = remote.status === 'published' && post.status === 'published' && post.date !== undefined;
    const body = {
      ...updateBody(post, addresses),
      ...(post.slug !== remote.slug && { slug: post.slug }),
      ...(isDated && { published_at: post.date }),
    };
    const ifMatch = await versionOf(action);
    const changed = await patiently(() => platen.posts.update(remote.slug, body, { ifMatch, signal }));
    ledger.note(changed);
    const after = await setStatus(prepared, post, changed, ledger.note);
    await ledger.keep(file, stateOf(after), after.url);
  }

  async function find(slug: string): Promise<Post | null> {
    try {
      return await patiently(() => platen.posts.get(slug, { signal }));
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }

  const isThere: Changes['isThere'] = async ({ file, slug }) => {
    const found = await find(slug);
    if (found === null) return false;
    const known = new Map(Object.entries(state.images));
    if (comparePost(await prepared.read(file), found, known).differences.length > 0) return false;
    await ledger.keep(file, stateOf(found), found.url);
    return true;
  };

  return {
    isThere,
    async update(action) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await updateOnce(action);
          return;
        } catch (error) {
          const isLost = error instanceof ConnectionError && attempt < MAX_ATTEMPTS;
          // After a lost answer, the newer version may be our own.
          const mayBeOurs =
            attempt > 1 && (error instanceof PreconditionFailedError || error instanceof NotFoundError);
          if (mayBeOurs && (await isThere(action))) return;
          if (!isLost) throw error;
        }
      }
    },
    async remove(action) {
      try {
        const ifMatch = await versionOf(action);
        ledger.note(await patiently(() => platen.posts.delete(action.remote.slug, { ifMatch, signal })));
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
      await ledger.keep(action.file, null);
    },
  };
}

const stateOf = (post: Post): Omit<PostState, 'sent'> => ({ ...post, etag: responseOf(post).etag ?? null });
