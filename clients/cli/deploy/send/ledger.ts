import type { PreparedDeploy } from '../plan/prepare.ts';
import type { PostState } from '../plan/state.ts';

/** Keeps in the state what was done, and what of it readers will see when. */
export interface Ledger {
  /** Enters a post as it is now in Platen, as its file says; null: there is none any more. */
  keep(file: string, post: Omit<PostState, 'sent'> | null, url?: string): Promise<void>;
  /** Keeps the rebuild that an answer names. */
  note(answer: { readonly rebuild_id?: string }): void;
  lastRebuildId(): string | undefined;
  /** Address of the post of a file that was sent. */
  urlOf(file: string): string | undefined;
}

/** Results between two savings of the state. */
const SAVE_EVERY = 25;

export function createLedger({ options, state, sent }: PreparedDeploy): Ledger {
  const urls = new Map<string, string>();
  let lastRebuildId: string | undefined;
  let results = 0;
  let saving: Promise<void> = Promise.resolve();
  return {
    async keep(file, post, url) {
      if (url !== undefined) urls.set(file, url);
      if (post === null) delete state.posts[file];
      else {
        const { slug, id, updated_at, etag } = post;
        state.posts[file] = { slug, id, updated_at, etag, sent: { ...sent.get(file) } };
      }
      results += 1;
      if (results % SAVE_EVERY === 0) saving = saving.then(() => options.state.save(state));
      await saving;
    },
    note({ rebuild_id: id }) {
      // Ids of rebuilds grow with time, and answers may overtake one another.
      if (id !== undefined && id > (lastRebuildId ?? '')) lastRebuildId = id;
    },
    lastRebuildId: () => lastRebuildId,
    urlOf: (file) => urls.get(file),
  };
}
