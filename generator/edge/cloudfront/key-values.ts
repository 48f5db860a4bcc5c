import {
  type CloudFrontKeyValueStoreClient,
  DescribeKeyValueStoreCommand,
  GetKeyCommand,
  ListKeysCommand,
  UpdateKeysCommand,
} from '@aws-sdk/client-cloudfront-keyvaluestore';
// Requests for a KeyValueStore are signed for every region at once (SigV4A); the client finds the signer by this.
import '@aws-sdk/signature-v4a';
import { combineChanges } from './combined-changes.ts';
import { assertFits, type KeyChanges } from './entries.ts';
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

type KeyChange = readonly [key: string, value: string | null];

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
  arn: KvsARN,
  retryDelays = RETRY_DELAYS,
  sleep,
}: KeyValueStoreOptions): KeyValueStore {
  async function attempt<T>(operation: string, work: () => Promise<T>): Promise<T> {
    try {
      return await withRetries(work, isRetriable, retryDelays, sleep);
    } catch (error) {
      throw new CloudFrontError(operation, error);
    }
  }

  const read = (key: string) => readKey(client, KvsARN, key);

  /** Writes the changes that differ from the store's current version. */
  async function update(changes: readonly KeyChange[]): Promise<void> {
    const { ETag } = await client.send(new DescribeKeyValueStoreCommand({ KvsARN }));
    const differing: KeyChange[] = [];
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

  const applyChanges = combineChanges(async (changes) => {
    const all = [...changes];
    for (let from = 0; from < all.length; from += MAX_KEYS) {
      const some = all.slice(from, from + MAX_KEYS);
      await attempt(`changing ${some[0]?.[0]} and ${some.length - 1} more keys`, () => update(some));
    }
  });

  return {
    async get(key) {
      const operation = `looking up ${key}`;
      await attempt(operation, () => client.send(new DescribeKeyValueStoreCommand({ KvsARN })));
      return attempt(operation, () => read(key));
    },
    async *all() {
      let NextToken: string | undefined;
      do {
        const page = { KvsARN, MaxResults: MAX_KEYS, ...(NextToken !== undefined && { NextToken }) };
        const listed = await attempt('listing the keys', () => client.send(new ListKeysCommand(page)));
        for (const { Key = '', Value = '' } of listed.Items ?? []) yield [Key, Value] as const;
        NextToken = listed.NextToken;
      } while (NextToken !== undefined);
    },
    async change(changes) {
      for (const [key, value] of changes) if (value !== null) assertFits(key, value);
      if (changes.size > 0) await applyChanges(changes);
    },
  };
}

async function readKey(
  client: CloudFrontKeyValueStoreClient,
  KvsARN: string,
  Key: string,
): Promise<string | null> {
  try {
    const { Value = null } = await client.send(new GetKeyCommand({ KvsARN, Key }));
    return Value;
  } catch (error) {
    if (codeOf(error) === 'ResourceNotFoundException') return null;
    throw error;
  }
}

const isRetriable = (error: unknown): boolean => codeOf(error) === 'ConflictException' || isTransient(error);
