import type { Platen } from '../../../sdk/index.ts';
import type { FileMessage } from '../../folder/file-message.ts';
import type { FolderPost } from '../../folder/folder-post.ts';
import { type Folder, messageOf, readFolder } from '../../folder/read-folder.ts';
import { type BlogPlan, planBlog } from './blog-plan.ts';
import { comparePost } from './compare.ts';
import { type Digests, digestsOf } from './digests.ts';
import { inParallel } from './in-parallel.ts';
import { createPatience, type Patiently } from './patience.ts';
import { type Action, type LocalPost, type PlanOptions, planPosts, type RemotePost } from './plan.ts';
import type { DeployState, StateStore } from './state.ts';

export interface DeployOptions extends Partial<PlanOptions> {
  readonly folder: string;
  /** Acts on one blog: `platen.withBlog(id)`. */
  readonly platen: Platen;
  readonly blogId: string;
  readonly state: StateStore;
  /** Requests at the same time. @default 4 */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when the rate limit is reached and everything waits. */
  readonly onPause?: ((seconds: number) => void) | undefined;
  /** Counts what was done of a step. */
  readonly onProgress?: ((progress: DeployProgress) => void) | undefined;
  /** Treats drafts and posts of the future as published, as a preview shows them. */
  readonly publishesAll?: boolean | undefined;
  /** Where the images of the folder are, by hash, if they are not to be uploaded. */
  readonly imageAddress?: ((hash: string) => string) | undefined;
  readonly now?: Date | undefined;
}

export interface DeployProgress {
  readonly step: 'reading' | 'comparing' | 'sending' | 'deleting';
  readonly done: number;
  readonly total: number;
}

/** A deploy that is ready to run: what it will do, and what it needs for that. */
export interface PreparedDeploy {
  readonly options: DeployOptions;
  readonly folder: Folder;
  readonly state: DeployState;
  readonly actions: readonly Action[];
  readonly blog: BlogPlan;
  /** Files that are no posts as they are. They are not touched, whatever else is done. */
  readonly errors: readonly FileMessage[];
  readonly remarks: readonly FileMessage[];
  /** Paths of the folder's images, by hash. */
  readonly imagePaths: ReadonlyMap<string, string>;
  readonly patiently: Patiently;
  /** Digests of what each file is to send. */
  readonly sent: ReadonlyMap<string, Digests>;
  /** The post of a file, as it will be sent. */
  read(file: string): Promise<FolderPost>;
}

export const DEFAULT_CONCURRENCY = 4;

/**
 * Reads a folder, the state of its last deploy and the posts in Platen, and plans what to do. Changes nothing. Throws a
 * FolderError or a PlatenError.
 */
export async function prepareDeploy(options: DeployOptions): Promise<PreparedDeploy> {
  const { signal, onPause, overwrite = false, deleteMissing = false } = options;
  const patiently = createPatience({ signal, onPause });
  const folder = await readFolder(options.folder, { now: options.now });
  const read = await readPosts(folder, options);
  const state = await options.state.load();
  const remote = await listPosts(options.platen, patiently, signal);
  const planned = planPosts(read.posts, withoutFailed(state, read.errors, folder), remote, {
    overwrite,
    deleteMissing,
  });
  const prepared = {
    options,
    folder,
    state,
    imagePaths: read.imagePaths,
    patiently,
    sent: new Map(read.posts.map(({ file, sent }) => [file, sent])),
    read: async (file: string) => read.read(file),
  };
  const actions = await settleComparisons(prepared, planned, overwrite);
  const blog = await planBlog(folder, read.oldAddresses, state);
  for (const [hash, path] of blog.imagePaths) read.imagePaths.set(hash, path);
  return {
    ...prepared,
    actions,
    blog,
    errors: [...folder.errors, ...read.errors],
    remarks: [...folder.remarks, ...read.remarks],
  };
}

/** Reads every file once, and keeps what a plan needs of it. */
async function readPosts(folder: Folder, { publishesAll, signal, onProgress }: DeployOptions) {
  const posts: LocalPost[] = [];
  const errors: FileMessage[] = [];
  const remarks: FileMessage[] = [];
  const imagePaths = new Map<string, string>();
  const oldAddresses: { from: string; slug: string; file: string }[] = [];
  const files = new Map(folder.files.map((file) => [file.file, file]));
  const read = async (file: string) => {
    const known = files.get(file);
    if (known === undefined) throw new Error(`${file} is not a file of the folder`);
    const found = await folder.read(known);
    const { status } = found.post;
    if (!publishesAll || status === 'published') return { ...found, shownEarly: [] };
    const message = `is ${status === 'draft' ? 'a draft' : 'scheduled'}: it is shown here as if it were published`;
    return { ...found, post: published(found.post), shownEarly: [{ file, message }] };
  };
  for (const { file } of folder.files) {
    signal?.throwIfAborted();
    try {
      const found = await read(file);
      posts.push({ file, slug: found.post.slug, sent: digestsOf(found.post) });
      remarks.push(...found.remarks, ...found.shownEarly);
      for (const [hash, path] of found.imagePaths) imagePaths.set(hash, path);
      for (const from of found.post.oldAddresses) oldAddresses.push({ from, slug: found.post.slug, file });
    } catch (error) {
      errors.push(messageOf(file, error));
    }
    onProgress?.({ step: 'reading', done: posts.length + errors.length, total: folder.files.length });
  }
  return {
    posts,
    errors,
    remarks,
    imagePaths,
    oldAddresses,
    read: async (file: string) => (await read(file)).post,
  };
}

const published = (post: FolderPost): FolderPost => ({ ...post, status: 'published', date: undefined });

/** A file that cannot be read now is not one that is gone. */
function withoutFailed(
  state: DeployState,
  errors: readonly FileMessage[],
  folder: Folder,
): Pick<DeployState, 'posts'> {
  const failed = new Set([...folder.errors, ...errors].map(({ file }) => file));
  return { posts: Object.fromEntries(Object.entries(state.posts).filter(([file]) => !failed.has(file))) };
}

async function listPosts(
  platen: Platen,
  patiently: Patiently,
  signal: AbortSignal | undefined,
): Promise<RemotePost[]> {
  const posts = new Map<string, RemotePost>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { page, per_page: 100, order: 'asc' } as const;
    const found = await patiently(async () => platen.posts.list(query, { signal }));
    pages = found.pagination.total_pages;
    for (const { id, slug, status, updated_at, published_at } of found.data) {
      posts.set(id, { id, slug, status, updated_at, published_at });
    }
  }
  return [...posts.values()];
}

type Unsettled = Pick<PreparedDeploy, 'options' | 'state' | 'patiently' | 'read'>;

/** Reads the posts in Platen about which lists do not say enough, and decides. */
async function settleComparisons(
  { options, state, patiently, read }: Unsettled,
  actions: readonly Action[],
  overwrite: boolean,
): Promise<Action[]> {
  const settled = [...actions];
  const open = [...actions.entries()].filter(([, { kind }]) => kind === 'compare');
  let done = 0;
  await inParallel(open, options.concurrency ?? DEFAULT_CONCURRENCY, async ([at, action]) => {
    if (action.kind !== 'compare') return;
    const { file, slug, remote, known, why } = action;
    const post = await patiently(() => options.platen.posts.get(remote.slug, { signal: options.signal }));
    const compared = comparePost(await read(file), post, new Map(Object.entries(state.images)));
    const changes: string[] = [...compared.differences, ...(slug === remote.slug ? [] : ['slug'])];
    if (changes.length === 0) {
      for (const [hash, address] of compared.images) state.images[hash] ??= address;
      settled[at] = {
        kind: 'unchanged',
        file,
        slug,
        known,
        remote: { ...remote, updated_at: post.updated_at },
      };
    } else if (overwrite) {
      settled[at] = { kind: 'update', file, slug, remote, known, why: `${changes.join(', ')}: ${why}` };
    } else settled[at] = { kind: 'conflict', file, slug, known, why };
    done += 1;
    options.onProgress?.({ step: 'comparing', done, total: open.length });
  });
  return settled;
}
