import { setTimeout as delay } from 'node:timers/promises';
import { inParallel } from '../../generator/workers/in-parallel.ts';
import { type ApiClient, type ApiClientOptions, ApiUnusableError, createApiClient } from './api-client.ts';
import { awaitRebuild, type Ending } from './await-rebuild.ts';
import { type FileMessage, type FolderPost, postsInFolder } from './posts-in-folder.ts';
import { type Outcome, publishPost } from './publish-post.ts';

export interface PublishOptions extends ApiClientOptions {
  readonly folder: string;
  /** Requests at a time, 8 unless given; with 1, posts are published one after the other, sorted by path. */
  readonly concurrency?: number | undefined;
  readonly onProgress: (progress: PublishProgress) => void;
}

/** How many posts were sent, and then how many of the rebuilds that they caused have ended. */
export interface PublishProgress {
  readonly step: 'publishing' | 'going live';
  readonly done: number;
  readonly total: number;
}

export interface PublishSummary {
  readonly published: number;
  /** Posts whose slugs were there before; they have the files' content now. */
  readonly updated: number;
  readonly failed: readonly FileMessage[];
  readonly notes: readonly FileMessage[];
  /** Addresses of what was published or updated, in the order of the files. */
  readonly urls: readonly string[];
  readonly milliseconds: number;
}

/**
 * Publishes every Markdown file under a folder and waits until all are live; run again, it updates the same
 * posts. What goes wrong with single files is told in the summary.
 *
 * @throws ApiUnusableError where the service cannot be reached or refuses the key; an Error that names the folder where
 * it cannot be read
 */
export async function publishFolder(options: PublishOptions): Promise<PublishSummary> {
  const started = performance.now();
  const { concurrency = 8, sleep = delay, onProgress } = options;
  const { posts, ...read } = await postsInFolder(options.folder);
  const client = createApiClient(options);
  await check(client);

  /** The results stand in the order of the items. */
  async function inStep<Item, Result>(
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
  const outcomes = await inStep('publishing', posts, (post) => tryPost(client, post));
  const rebuildIds = new Set(outcomes.flatMap((outcome) => rebuildOf(outcome) ?? []));
  const endings = await inStep('going live', [...rebuildIds], async (id) => {
    return [id, await awaitRebuild(client, id, sleep)] as const;
  });

  const ended = settle(posts, outcomes, new Map(endings));
  return {
    ...ended,
    failed: [...read.failed, ...ended.failed],
    notes: [...read.notes, ...ended.notes],
    milliseconds: Math.round(performance.now() - started),
  };
}

/** Asks for something harmless first, so that a wrong address or key is told once and not for each file. */
async function check(client: ApiClient): Promise<void> {
  const reply = await client.request('GET', '/posts?per_page=1');
  if (reply.status === 401) throw new ApiUnusableError(`the key was refused: ${reply.message}`);
  // A key may be good for writing only.
  if (reply.ok || reply.status === 403) return;
  throw new ApiUnusableError(`the service does not answer as expected: ${reply.message}`);
}

async function tryPost(client: ApiClient, post: FolderPost): Promise<Outcome> {
  try {
    return await publishPost(client, post);
  } catch (error) {
    if (!(error instanceof ApiUnusableError)) throw error;
    // Is it this post, or is the service gone? Then there is no point in trying the others.
    await check(client);
    return { kind: 'failed', message: error.message };
  }
}

const rebuildOf = (outcome: Outcome): string | null => (outcome.kind === 'failed' ? null : outcome.rebuildId);

/** A post counts as published only if it went live. */
function settle(
  posts: readonly FolderPost[],
  outcomes: readonly Outcome[],
  endings: ReadonlyMap<string, Ending>,
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
    const ending = endings.get(outcome.rebuildId ?? '');
    if (ending?.status === 'failed') {
      failed.push({ file, message: `saved, but not live: ${ending.message}` });
      continue;
    }
    if (ending?.status === 'unknown') {
      notes.push({ file, message: `saved; whether it is live could not be seen: ${ending.message}` });
    }
    counts[outcome.kind] += 1;
    if (outcome.url !== undefined) urls.push(outcome.url);
  }
  return { ...counts, failed, notes, urls };
}
