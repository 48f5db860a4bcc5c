import { type Digests, differences } from './digests.ts';
import type { DeployState, PostState } from './state.ts';

/** A post of the folder. */
export interface LocalPost {
  readonly file: string;
  readonly slug: string;
  readonly sent: Digests;
}

/** A post in Platen, as lists give it. */
export interface RemotePost {
  readonly id: string;
  readonly slug: string;
  readonly status: 'draft' | 'published' | 'scheduled';
  readonly updated_at: string;
  readonly published_at: string | null;
}

/** The post of an action, in the folder and in Platen. */
interface Pair {
  readonly file: string;
  readonly slug: string;
  readonly remote: RemotePost;
  /** What the last deploy sent; undefined if none of this folder did. */
  readonly known: PostState | undefined;
}

export type Action =
  | { readonly kind: 'create'; readonly file: string; readonly slug: string; readonly why: string }
  | ({ readonly kind: 'update'; readonly why: string } & Pair)
  | ({ readonly kind: 'unchanged' } & Pair)
  /** Whether it is unchanged, adopted or a conflict depends on what the post in Platen says. */
  | ({ readonly kind: 'compare'; readonly why: string } & Pair)
  | {
      readonly kind: 'conflict';
      readonly file: string;
      readonly slug: string;
      readonly why: string;
      readonly known: PostState | undefined;
    }
  | {
      readonly kind: 'delete';
      readonly file: string;
      readonly slug: string;
      readonly why: string;
      readonly remote: RemotePost;
      readonly known: PostState;
    }
  /** Its file is gone, and nobody asked to delete it. */
  | { readonly kind: 'missing'; readonly file: string; readonly slug: string; readonly why: string };

export interface PlanOptions {
  /** Replaces what was changed in Platen since the last deploy. */
  readonly overwrite: boolean;
  /** Deletes posts of earlier deploys whose files are gone. */
  readonly deleteMissing: boolean;
}

export const CHANGED = 'changed in Platen since the last deploy';
export const FOREIGN = 'a post with this slug is in Platen already, and is not from this folder';
export const DELETED = 'deleted in Platen since the last deploy';

/**
 * What a deploy has to do, in the order of the files: compares the folder with the state of the last deploy and with the
 * posts in Platen.
 */
export function planPosts(
  local: readonly LocalPost[],
  state: Pick<DeployState, 'posts'>,
  remote: readonly RemotePost[],
  options: PlanOptions,
): Action[] {
  const byId = new Map(remote.map((post) => [post.id, post]));
  const bySlug = new Map(remote.map((post) => [post.slug, post]));
  const known = matchKnown(local, state);
  const claimed = new Set([...known.values()].map(({ file }) => file));
  const actions = local.map((post): Action => {
    const entry = known.get(post.file)?.entry;
    if (entry === undefined) return planNew(post, bySlug.get(post.slug), options);
    return planKnown(post, entry, byId.get(entry.id), options);
  });
  const orphans = Object.entries(state.posts).filter(([file]) => !claimed.has(file));
  return [
    ...actions,
    ...orphans.flatMap(([file, entry]) => planOrphan(file, entry, byId.get(entry.id), options)),
  ];
}

interface Match {
  /** The file that the state knows it by. */
  readonly file: string;
  readonly entry: PostState;
}

/** The entry of the state for each file: its own, or for a renamed file that with its slug, or with its text. */
export function matchKnown(
  local: readonly LocalPost[],
  { posts }: Pick<DeployState, 'posts'>,
): Map<string, Match> {
  const matches = new Map<string, Match>();
  const files = new Set(local.map(({ file }) => file));
  for (const { file } of local) {
    const entry = Object.hasOwn(posts, file) ? posts[file] : undefined;
    if (entry) matches.set(file, { file, entry });
  }
  const orphans = new Map(Object.entries(posts).filter(([file]) => !files.has(file)));
  for (const isSame of [
    (post: LocalPost, entry: PostState) => post.slug === entry.slug,
    (post: LocalPost, entry: PostState) =>
      post.sent.text === entry.sent.text && post.sent.title === entry.sent.title,
  ]) {
    // A folder where most files were renamed is rare: then this takes the product of both.
    for (const post of local) {
      if (orphans.size === 0) return matches;
      if (matches.has(post.file)) continue;
      const found = [...orphans].find(([, entry]) => isSame(post, entry));
      if (found === undefined) continue;
      const [file, entry] = found;
      matches.set(post.file, { file, entry });
      orphans.delete(file);
    }
  }
  return matches;
}

function planNew({ file, slug }: LocalPost, remote: RemotePost | undefined, options: PlanOptions): Action {
  if (remote === undefined) return { kind: 'create', file, slug, why: 'new' };
  const pair = { file, slug, remote, known: undefined };
  return { kind: 'compare', ...pair, why: options.overwrite ? 'overwritten' : FOREIGN };
}

function planKnown(
  { file, slug, sent }: LocalPost,
  known: PostState,
  remote: RemotePost | undefined,
  options: PlanOptions,
): Action {
  if (remote === undefined) {
    return options.overwrite
      ? { kind: 'create', file, slug, why: `${DELETED}, created again` }
      : { kind: 'conflict', file, slug, known, why: DELETED };
  }
  const pair = { file, slug, remote, known };
  const changes = [
    ...differences(known.sent, sent),
    ...(slug === known.slug ? [] : [`slug, was ${known.slug}`]),
  ];
  if (changes.includes('type')) {
    return {
      kind: 'conflict',
      file,
      slug,
      known,
      why: 'is another type now, post or page, which cannot be changed: delete it first',
    };
  }
  if (!isChangedInPlaten(known, remote)) {
    return changes.length === 0
      ? { kind: 'unchanged', ...pair }
      : { kind: 'update', ...pair, why: changes.join(', ') };
  }
  return { kind: 'compare', ...pair, why: CHANGED };
}

function planOrphan(
  file: string,
  known: PostState,
  remote: RemotePost | undefined,
  { overwrite, deleteMissing }: PlanOptions,
): Action[] {
  // It is gone on both sides.
  if (remote === undefined) return [];
  const { slug } = remote;
  if (!deleteMissing) return [{ kind: 'missing', file, slug, why: 'the file is gone' }];
  if (isChangedInPlaten(known, remote) && !overwrite)
    return [{ kind: 'conflict', file, slug, known, why: `the file is gone, but the post was ${CHANGED}` }];
  return [{ kind: 'delete', file, slug, why: 'the file is gone', remote, known }];
}

/** Also true for a scheduled post that was published in its time: what it says then settles the matter. */
const isChangedInPlaten = (known: PostState, remote: RemotePost): boolean =>
  known.updated_at !== remote.updated_at;
