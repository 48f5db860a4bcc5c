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
import { CloudFrontError, codeOf, isPassing } from './errors.ts';
import { type Patience, type Pause, withPatience } from './patience.ts';

export interface KeyValues {
  /** Null if the key does not exist. Rejects with a `CloudFrontError`. */
  get(key: string): Promise<string | null>;
  /** All keys with their values. May or may not include concurrent changes. Rejects with a `CloudFrontError`. */
  all(): AsyncIterable<readonly [key: string, value: string]>;
  /** Resolves when the store has all changes. Rejects with a `CloudFrontError`, or if an entry exceeds a limit. */
  change(changes: KeyChanges): Promise<void>;
}

export interface KeyValuesOptions {
  readonly client: CloudFrontKeyValueStoreClient;
  readonly arn: string;
  readonly patience?: Patience;
  readonly pause?: Pause;
}

/** The store's limit of keys per update or list request. */
const KEYS_AT_ONCE = 50;
const READS_AT_ONCE = 8;

const PATIENCE: Patience = { first: 100, longest: 5_000, whole: 60_000 };

/**
 * A KeyValueStore client with optimistic locking: an update applies as a whole to the version that was read, or, if
 * another writer was first, not at all and is retried. Changes that arrive during a request are combined into the next.
 */
export function createKeyValues({ client, arn, patience = PATIENCE, pause }: KeyValuesOptions): KeyValues {
  const KvsARN = arn;
  let waiting = new Map<string, string | null>();
  let next: Promise<void> | null = null;
  let underWay: Promise<unknown> = Promise.resolve();

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
  async function changeNow(
    changes: readonly (readonly [key: string, value: string | null])[],
  ): Promise<void> {
    const { ETag } = await client.send(new DescribeKeyValueStoreCommand({ KvsARN }));
    const due: (readonly [string, string | null])[] = [];
    const unread = changes.values();
    const readInTurn = async () => {
      for (const [key, value] of unread) if ((await read(key)) !== value) due.push([key, value]);
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE }, readInTurn));
    if (due.length === 0) return;
    const Puts = due.flatMap(([Key, Value]) => (Value === null ? [] : [{ Key, Value }]));
    const Deletes = due.flatMap(([Key, Value]) => (Value === null ? [{ Key }] : []));
    await client.send(new UpdateKeysCommand({ KvsARN, IfMatch: ETag, Puts, Deletes }));
  }

  async function changeAll(changes: KeyChanges): Promise<void> {
    const all = [...changes];
    for (let from = 0; from < all.length; from += KEYS_AT_ONCE) {
      const some = all.slice(from, from + KEYS_AT_ONCE);
      try {
        await withPatience(() => changeNow(some), mayPass, patience, pause);
      } catch (error) {
        throw new CloudFrontError(`changing ${some[0]?.[0]} and ${some.length - 1} more keys`, error);
      }
    }
  }

  async function changeWaiting(): Promise<void> {
    await underWay;
    const changes = waiting;
    waiting = new Map();
    next = null;
    const done = changeAll(changes);
    underWay = done.catch(() => {});
    return done;
  }

  return {
    async get(key) {
      try {
        await withPatience(
          () => client.send(new DescribeKeyValueStoreCommand({ KvsARN })),
          mayPass,
          patience,
          pause,
        );
        return await withPatience(() => read(key), mayPass, patience, pause);
      } catch (error) {
        throw new CloudFrontError(`looking up ${key}`, error);
      }
    },
    async *all() {
      let NextToken: string | undefined;
      do {
        const page = { KvsARN, MaxResults: KEYS_AT_ONCE, ...(NextToken !== undefined && { NextToken }) };
        const list = () => client.send(new ListKeysCommand(page));
        const listed = await withPatience(list, mayPass, patience, pause).catch((error: unknown) => {
          throw new CloudFrontError('listing the keys', error);
        });
        for (const { Key = '', Value = '' } of listed.Items ?? []) yield [Key, Value] as const;
        NextToken = listed.NextToken;
      } while (NextToken !== undefined);
    },
    async change(changes) {
      for (const [key, value] of changes) if (value !== null) assertFits(key, value);
      if (changes.size === 0) return;
      for (const [key, value] of changes) waiting.set(key, value);
      next ??= changeWaiting();
      await next;
    },
  };
}

const mayPass = (error: unknown): boolean => codeOf(error) === 'ConflictException' || isPassing(error);
