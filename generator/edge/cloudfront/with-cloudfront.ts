import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { CloudFrontKeyValueStoreClient } from '@aws-sdk/client-cloudfront-keyvaluestore';
import { memoised } from '../../workers/memoised.ts';
import type { ReadableEdge } from '../edge.ts';
import { asClientOptions, type Identity } from '../identity.ts';
import { entriesOf, isOfSet, type KeyChanges, keysOf, type Usual, usualEntries } from './entries.ts';
import { createInvalidations, type Invalidations } from './invalidations.ts';
import { createKeyValues, type KeyValues } from './key-values.ts';
import type { CloudFrontSettings } from './settings.ts';

export interface CloudFrontOptions extends Usual {
  readonly invalidations: Invalidations;
  readonly keyValues: Pick<KeyValues, 'get' | 'change'>;
}

/**
 * CloudFront is in one region, whichever the bucket is in. What is waited for, in milliseconds, and how often a request
 * is tried before our own patience begins.
 */
const CLIENT = {
  region: 'us-east-1',
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
};

export const openClient = (identity?: Identity): CloudFrontClient =>
  new CloudFrontClient({ ...CLIENT, ...asClientOptions(identity) });

/** What stands between a bucket and its readers, as it is set up. Nothing is asked of it yet. */
export function openCloudFront(
  settings: CloudFrontSettings,
  usualHeaders: string | null,
  identity?: Identity,
): CloudFrontOptions {
  const { distributionId, blogHost } = settings;
  const invalidations = createInvalidations({ client: openClient(identity), distributionId });
  return { blogHost, usualHeaders, invalidations, keyValues: openKeyValues(settings, identity) };
}

/** The store of the distribution's function. Nothing is asked of it yet. */
export const openKeyValues = (
  { keyValueStoreArn: arn }: CloudFrontSettings,
  identity?: Identity,
): KeyValues =>
  createKeyValues({
    client: new CloudFrontKeyValueStoreClient({ ...CLIENT, ...asClientOptions(identity) }),
    arn,
  });

/**
 * A bucket behind CloudFront. The objects in the bucket are the record; what its function must know of hosts and
 * headers is a copy of it in a KeyValueStore, which follows each of them.
 */
export function withCloudFront(edge: ReadableEdge, options: CloudFrontOptions): ReadableEdge {
  const { invalidations, keyValues, usualHeaders } = options;
  /** Keys of sets of headers that the store has been given: blogs share them, and every question to it is charged. */
  const known = new Set<string>();
  const ready = memoised(prepare);

  /** A store that has no usual headers is new, and is told of all that lies in the bucket. */
  async function prepare(): Promise<void> {
    if (usualHeaders === null) return;
    const entries = usualEntries(usualHeaders);
    const [usualKey = ''] = entries.keys();
    const told = new Map<string, string | null>();
    if ((await keyValues.get(usualKey)) === null) {
      for (const folder of ['hosts/', 'sites/']) {
        for await (const { path } of edge.list(folder)) {
          if (keysOf(path).length === 0) continue;
          for (const [key, value] of changesOf(path, await edge.read(path))) told.set(key, value);
        }
      }
    }
    await keyValues.change(told);
    // Last, for it is what says that the store has been told.
    await keyValues.change(entries);
    know(entries.keys());
  }

  const changesOf = (path: string, bytes: Uint8Array): KeyChanges =>
    new Map([...entriesOf(path, bytes, options)].filter(([key]) => !known.has(key)));

  function know(keys: Iterable<string>): void {
    for (const key of keys) if (isOfSet(key)) known.add(key);
  }

  return {
    ...edge,
    async write(path, bytes) {
      await ready();
      await edge.write(path, bytes);
      const changes = changesOf(path, bytes);
      await keyValues.change(changes);
      know(changes.keys());
    },
    async remove(paths) {
      await edge.remove(paths);
      await keyValues.change(new Map(paths.flatMap(keysOf).map((key) => [key, null])));
    },
    invalidate: (paths) => invalidations.send(paths),
  };
}
