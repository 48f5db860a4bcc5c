import { setTimeout as delay } from 'node:timers/promises';
import { inParallel } from '../../generator/workers/in-parallel.ts';
import { type ApiClient, type ApiClientOptions, ApiUnusableError, createApiClient } from './api-client.ts';
import { awaitRebuild, type RebuildResult } from './await-rebuild.ts';
import { findBlogId, type OldAddresses, setOldAddresses } from './old-addresses.ts';
import { type FileMessage, type FolderPost, postsInFolder } from './posts-in-folder.ts';
import { type PublishResult, publishPost } from './publish-post.ts';

export interface PublishOptions extends ApiClientOptions {
  readonly folder: string;
  /** Parallel requests, by default 8; with 1, posts are published sequentially, sorted by path. */
  readonly concurrency?: number | undefined;
  readonly onProgress: (progress: PublishProgress) => void;
}

/** Counts the posts that were sent, then the rebuilds that have finished. */
export interface PublishProgress {
  readonly step: 'publishing' | 'going live';
  readonly done: number;
  readonly total: number;
}

export interface PublishSummary {
  readonly published: number;
  /** Existing posts that got the content of their file. */
  readonly updated: number;
  readonly failed: readonly FileMessage[];
  readonly notes: readonly FileMessage[];
  /** URLs of the published and updated posts, in the order of the files. */
  readonly urls: readonly string[];
  readonly milliseconds: number;
}

/**
 * Publishes every Markdown file under a folder and waits until all are live. A second run updates the same posts.
 * Failures of single files are in the summary.
 *
 * @throws ApiUnusableError if the service cannot be reached or rejects the key; an Error that names the folder if it
 * cannot be read
 */
export async function publishFolder(options: PublishOptions): Promise<PublishSummary> {
  const started = performance.now();
  const { concurrency = 8, sleep = delay, onProgress } = options;
  const { posts, ...read } = await postsInFolder(options.folder);
  const client = createApiClient(options);
  await checkService(client);

  /** Runs `work` on the items in parallel and reports progress. The results are in the order of the items. */
  async function runStep<Item, Result>(
    step: PublishProgress['step'],
    items: readonly Item[],
    work: (item: Item) => Promise<Result>,
  ): Promise<Result[]> {
    const results: Result[] = [];
    let done = 0;
    await inParallel(items.entries(), concurrency, async ([index, item]) => {
      results[index] = await work(item);
      done += 1;
      onProgress({ step, done, total: items.length });
    });
    return results;
  }
  const outcomes = await runStep('publishing', posts, (post) => tryPost(client, post));
  const oldAddresses = await setAllOldAddresses(
    client,
    options.blogId,
    posts.filter((_, at) => outcomes[at]?.kind !== 'failed'),
  );
  const rebuildIds = new Set([
    ...outcomes.flatMap((outcome) => rebuildOf(outcome) ?? []),
    ...oldAddresses.flatMap(({ rebuildIds }) => rebuildIds),
  ]);
  const rebuildResults = await runStep('going live', [...rebuildIds], async (id) => {
    return [id, await awaitRebuild(client, id, sleep)] as const;
  });

  const merged = mergeResults(posts, outcomes, new Map(rebuildResults));
  return {
    ...merged,
    failed: [...read.failed, ...merged.failed],
    notes: [...read.notes, ...merged.notes, ...oldAddresses.flatMap(({ notes }) => notes)],
    milliseconds: Math.round(performance.now() - started),
  };
}

async function setAllOldAddresses(
  client: ApiClient,
  blogId: string | undefined,
  published: readonly FolderPost[],
): Promise<OldAddresses[]> {
  const moved = published.filter(({ oldAddresses }) => oldAddresses.length > 0);
  if (moved.length === 0) return [];
  const blog = blogId ?? (await findBlogId(client));
  const results: OldAddresses[] = [];
  for (const post of moved) results.push(await setOldAddresses(client, blog, post));
  return results;
}

/** Makes a harmless request first, so that a wrong URL or key is reported once and not for each file. */
async function checkService(client: ApiClient): Promise<void> {
  const reply = await client.request('GET', '/posts?per_page=1');
  if (reply.status === 401) throw new ApiUnusableError(`the key was rejected: ${reply.message}`);
  // A key may have the scope for writing only.
  if (reply.ok || reply.status === 403) return;
  throw new ApiUnusableError(`unexpected response of the service: ${reply.message}`);
}

async function tryPost(client: ApiClient, post: FolderPost): Promise<PublishResult> {
  try {
    return await publishPost(client, post);
  } catch (error) {
    if (!(error instanceof ApiUnusableError)) throw error;
    // If the service is gone, this throws and the other posts are not tried. Otherwise only this post failed.
    await checkService(client);
    return { kind: 'failed', message: error.message };
  }
}

const rebuildOf = (outcome: PublishResult): string | null =>
  outcome.kind === 'failed' ? null : outcome.rebuildId;

/** Merges posts with the results of their rebuilds: a post counts as published only if it is live. */
function mergeResults(
  posts: readonly FolderPost[],
  outcomes: readonly PublishResult[],
  rebuildResults: ReadonlyMap<string, RebuildResult>,
): Omit<PublishSummary, 'milliseconds'> {
  const counts = { published: 0, updated: 0 };
  const failed: FileMessage[] = [];
  const notes: FileMessage[] = [];
  const urls: string[] = [];
  for (const [index, { file }] of posts.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) continue;
    if (outcome.kind === 'failed') {
      failed.push({ file, message: outcome.message });
      continue;
    }
    const rebuild = rebuildResults.get(outcome.rebuildId ?? '');
    if (rebuild?.status === 'failed') {
      failed.push({ file, message: `saved, but not live: ${rebuild.message}` });
      continue;
    }
    if (rebuild?.status === 'unknown') {
      notes.push({ file, message: `saved, but the rebuild status is unknown: ${rebuild.message}` });
    }
    counts[outcome.kind] += 1;
    if (outcome.url !== undefined) urls.push(outcome.url);
  }
  return { ...counts, failed, notes, urls };
}
