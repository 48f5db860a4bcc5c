import {
  type CloudFrontKeyValueStoreClient,
  DescribeKeyValueStoreCommand,
  GetKeyCommand,
  ListKeysCommand,
  UpdateKeysCommand,
} from '@aws-sdk/client-cloudfront-keyvaluestore';
import type { KeyChanges } from './entries.ts';
// Requests for a KeyValueStore are signed for every region at once (SigV4A); the client finds the signer by this.
import '@aws-sdk/signature-v4a';
import { assertFits } from './entries.ts';
import { CloudFrontError, codeOf, isTransient } from './errors.ts';
import { type RetryDelays, type Sleep, withRetries } from './retrying.ts';

export interface KeyValueStore {
  /** Null if the key does not exist. Rejects with a `CloudFrontError`. */
  get(key: string): Promise<string | null>;
  /** All keys with their values. May or may not include concurrent changes. Rejects with a `CloudFrontError`. */
  all(): AsyncIterable<readonly [key: string, value: string]>;
  /** Resolves when the store has all changes. Rejects with a `CloudFrontError`, or if an entry exceeds a limit. */
  change(changes: KeyChanges): Promise<void>;
}

export interface KeyValueStoreOptions {
  readonly client: CloudFrontKeyValueStoreClient;
  readonly arn: string;
  readonly retryDelays?: RetryDelays;
  readonly sleep?: Sleep;
}

/** The store's limit of keys per update or list request. */
const MAX_KEYS = 50;
const CONCURRENT_READS = 8;

const RETRY_DELAYS: RetryDelays = { initial: 100, maximum: 5_000, total: 60_000 };

/**
 * A KeyValueStore client with optimistic locking: an update applies as a whole to the version that was read, or, if
 * another writer was first, not at all and is retried. Changes that arrive during a request are combined into the next.
 */
export function createKeyValueStore({
  client,
  arn,
  retryDelays = RETRY_DELAYS,
  sleep,
}: KeyValueStoreOptions): KeyValueStore {
  const KvsARN = arn;
  let queued = new Map<string, string | null>();
  let nextFlush: Promise<void> | null = null;
  let inProgress: Promise<unknown> = Promise.resolve();

  async function read(Key: string): Promise<string | null> {
    try {
      const { Value = null } = await client.send(new GetKeyCommand({ KvsARN, Key }));
      return Value;
    } catch (error) {
      if (codeOf(error) === 'ResourceNotFoundException') return null;
      throw error;
    }
  }

  /** Writes the changes that differ from the store's current version. */
  async function applyChanges(
    changes: readonly (readonly [key: string, value: string | null])[],
  ): Promise<void> {
    const { ETag } = await client.send(new DescribeKeyValueStoreCommand({ KvsARN }));
    const differing: (readonly [string, string | null])[] = [];
    const remaining = changes.values();
    const readRemaining = async () => {
      for (const [key, value] of remaining) if ((await read(key)) !== value) differing.push([key, value]);
    };
    await Promise.all(Array.from({ length: CONCURRENT_READS }, readRemaining));
    if (differing.length === 0) return;
    const Puts = differing.flatMap(([Key, Value]) => (Value === null ? [] : [{ Key, Value }]));
    const Deletes = differing.flatMap(([Key, Value]) => (Value === null ? [{ Key }] : []));
    await client.send(new UpdateKeysCommand({ KvsARN, IfMatch: ETag, Puts, Deletes }));
  }

  async function applyInBatches(changes: KeyChanges): Promise<void> {
    const all = [...changes];
    for (let from = 0; from < all.length; from += MAX_KEYS) {
      const some = all.slice(from, from + MAX_KEYS);
      try {
        await withRetries(() => applyChanges(some), isRetriable, retryDelays, sleep);
      } catch (error) {
        throw new CloudFrontError(`changing ${some[0]?.[0]} and ${some.length - 1} more keys`, error);
      }
    }
  }

  async function flush(): Promise<void> {
    await inProgress;
    const changes = queued;
    queued = new Map();
    nextFlush = null;
    const done = applyInBatches(changes);
    inProgress = done.catch(() => {});
    return done;
  }

  return {
    async get(key) {
      try {
        await withRetries(
          () => client.send(new DescribeKeyValueStoreCommand({ KvsARN })),
          isRetriable,
          retryDelays,
          sleep,
        );
        return await withRetries(() => read(key), isRetriable, retryDelays, sleep);
      } catch (error) {
        throw new CloudFrontError(`looking up ${key}`, error);
      }
    },
    async *all() {
      let NextToken: string | undefined;
      do {
        const page = { KvsARN, MaxResults: MAX_KEYS, ...(NextToken !== undefined && { NextToken }) };
        const list = () => client.send(new ListKeysCommand(page));
        const listed = await withRetries(list, isRetriable, retryDelays, sleep).catch((error: unknown) => {
          throw new CloudFrontError('listing the keys', error);
        });
        for (const { Key = '', Value = '' } of listed.Items ?? []) yield [Key, Value] as const;
        NextToken = listed.NextToken;
      } while (NextToken !== undefined);
    },
    async change(changes) {
      for (const [key, value] of changes) if (value !== null) assertFits(key, value);
      if (changes.size === 0) return;
      for (const [key, value] of changes) queued.set(key, value);
      nextFlush ??= flush();
      await nextFlush;
    },
  };
}

const isRetriable = (error: unknown): boolean => codeOf(error) === 'ConflictException' || isTransient(error);
