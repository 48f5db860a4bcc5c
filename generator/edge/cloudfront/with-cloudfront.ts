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
 * CloudFront's API is in one region, wherever the bucket is. Timeouts are in milliseconds; `maxAttempts` counts the SDK's
 * own attempts, before the backoff in patience.ts.
 */
const CLIENT = {
  region: 'us-east-1',
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
};

export const openClient = (identity?: Identity): CloudFrontClient =>
  new CloudFrontClient({ ...CLIENT, ...asClientOptions(identity) });

/** Creates the clients for a distribution. Sends no request yet. */
export function openCloudFront(
  settings: CloudFrontSettings,
  usualHeaders: string | null,
  identity?: Identity,
): CloudFrontOptions {
  const { distributionId, blogHost } = settings;
  const invalidations = createInvalidations({ client: openClient(identity), distributionId });
  return { blogHost, usualHeaders, invalidations, keyValues: openKeyValues(settings, identity) };
}

/** Creates the client for the KeyValueStore of the distribution's function. Sends no request yet. */
export const openKeyValues = (
  { keyValueStoreArn: arn }: CloudFrontSettings,
  identity?: Identity,
): KeyValues =>
  createKeyValues({
    client: new CloudFrontKeyValueStoreClient({ ...CLIENT, ...asClientOptions(identity) }),
    arn,
  });

/**
 * A bucket behind CloudFront. The objects in the bucket are the source of truth; every write of a host or header file
 * also updates the mirror in the KeyValueStore that the function reads.
 */
export function withCloudFront(edge: ReadableEdge, options: CloudFrontOptions): ReadableEdge {
  const { invalidations, keyValues, usualHeaders } = options;
  /** Keys of header sets that the store already has. Blogs share the sets, and AWS charges every request. */
  const known = new Set<string>();
  const ready = memoised(prepare);

  /** A store without the default header set is new: fill it from all files in the bucket. */
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
    // Last: the default header set marks the store as filled.
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
