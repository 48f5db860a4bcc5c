import {
  ConflictError,
  type CreatedPost,
  type CreatePost,
  type ErrorBody,
  ForbiddenError,
  PlatenError,
} from '../../../sdk/index.ts';
import type { FolderPost } from '../../folder/folder-post.ts';
import type { PreparedDeploy } from '../plan/prepare.ts';
import { createBody, imagesOf } from './bodies.ts';
import type { Uploads } from './uploads.ts';

/** Bytes of JSON in one request: below the API's limit of 6 MiB for a body. */
const MAX_BATCH_BYTES = 4 * 1_048_576;

interface Outcomes {
  onCreated(post: FolderPost, created: CreatedPost): Promise<void>;
  /** A file that has changed since the plan was made. Throws if it is no fault of the file. */
  onUnreadable(file: string, error: unknown): undefined;
  /** Throws if nothing else can be sent. */
  onRefused(post: FolderPost, error: unknown): Promise<void>;
}

/** What sending needs of a deploy. */
type Sending = Pick<PreparedDeploy, 'patiently' | 'read'> & {
  readonly options: Pick<PreparedDeploy['options'], 'platen' | 'signal'>;
};

interface Waiting {
  readonly post: FolderPost;
  readonly body: CreatePost;
  readonly bytes: number;
}

/** Creates posts, many in a request if the plan of the account has that. */
export function createBatches(
  prepared: Sending,
  uploads: Uploads,
  { onCreated, onRefused, onUnreadable }: Outcomes,
) {
  const { platen, signal } = prepared.options;
  let hasBatches = true;

  async function createOne({ post, body }: Waiting): Promise<void> {
    try {
      await onCreated(post, await prepared.patiently(() => platen.posts.create(body, { signal })));
    } catch (error) {
      await onRefused(post, error);
    }
  }

  async function createMany(waiting: readonly Waiting[]): Promise<void> {
    if (hasBatches && waiting.length > 1) {
      const results = await sendBatch(waiting);
      if (results !== null) {
        for (const [at, { post }] of waiting.entries()) {
          const result = results[at];
          if (result && 'post' in result) await onCreated(post, result.post);
          else if (result) await onRefused(post, errorOf(result.error, result.status));
        }
        return;
      }
    }
    for (const one of waiting) await createOne(one);
  }

  /** Null if the account's plan has no batches. */
  async function sendBatch(waiting: readonly Waiting[]) {
    try {
      const bodies = waiting.map(({ body }) => body);
      return (await prepared.patiently(() => platen.posts.batch(bodies, { signal }))).results;
    } catch (error) {
      if (!(error instanceof ForbiddenError) && !isRefusedAsWhole(error)) throw error;
      hasBatches = error instanceof ForbiddenError ? false : hasBatches;
      return null;
    }
  }

  return {
    /** Reads the posts of these files and creates them, in this order. */
    async create(files: readonly string[], onDone: (count: number) => void): Promise<void> {
      let waiting: Waiting[] = [];
      let bytes = 0;
      const flush = async () => {
        await createMany(waiting);
        onDone(waiting.length);
        waiting = [];
        bytes = 0;
      };
      for (const file of files) {
        signal?.throwIfAborted();
        const post = await prepared.read(file).catch((error: unknown) => onUnreadable(file, error));
        if (post === undefined) continue;
        const body = createBody(post, await uploads.addresses(imagesOf(post)));
        const next = { post, body, bytes: Buffer.byteLength(JSON.stringify(body)) };
        if (waiting.length > 0 && bytes + next.bytes > MAX_BATCH_BYTES) await flush();
        waiting.push(next);
        bytes += next.bytes;
      }
      if (waiting.length > 0) await flush();
    },
  };
}

/** A batch that was refused before any of its posts was looked at. */
const isRefusedAsWhole = (error: unknown): boolean => error instanceof PlatenError && error.status === 400;

/** The error of one post of a batch, as if it had been sent alone. */
function errorOf({ error: code, message, upgrade_url: upgradeUrl }: ErrorBody, status: number): PlatenError {
  const kind = code === 'conflict' ? ConflictError : code === 'forbidden' ? ForbiddenError : PlatenError;
  return new kind(code, message, { status, upgradeUrl });
}
