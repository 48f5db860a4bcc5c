import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { CloudFrontKeyValueStoreClient } from '@aws-sdk/client-cloudfront-keyvaluestore';
import { HOSTS_FOLDER, SITES_FOLDER } from '../../edge-paths.ts';
import { memoised } from '../../workers/memoised.ts';
import type { ReadableEdge } from '../edge.ts';
import { type Identity, toClientOptions } from '../identity.ts';
import {
  defaultEntries,
  entriesOfFile,
  isHeaderSetKey,
  type KeyChanges,
  keysOfFile,
  type MirrorContext,
} from './entries.ts';
import { createInvalidations, type Invalidations } from './invalidations.ts';
import { createKeyValueStore, type KeyValueStore } from './key-values.ts';
import type { CloudFrontSettings } from './settings.ts';

export interface CloudFrontOptions extends MirrorContext {
  readonly invalidations: Invalidations;
  readonly keyValues: Pick<KeyValueStore, 'get' | 'change'>;
}

/**
 * CloudFront's API is in one region, wherever the bucket is. Timeouts are in milliseconds; `maxAttempts` counts the
 * SDK's own attempts, before the backoff in retrying.ts.
 */
const CLIENT_OPTIONS = {
  region: 'us-east-1',
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
};

export const openClient = (identity?: Identity): CloudFrontClient =>
  new CloudFrontClient({ ...CLIENT_OPTIONS, ...toClientOptions(identity) });

/** Creates the clients for a distribution. Sends no request yet. */
export function openCloudFront(
  settings: CloudFrontSettings,
  defaultHeaders: string | null,
  identity?: Identity,
): CloudFrontOptions {
  const { distributionId, blogHost } = settings;
  const invalidations = createInvalidations({ client: openClient(identity), distributionId });
  return {
    blogHost,
    defaultHeaders,
    invalidations,
    keyValues: openKeyValueStore(settings, identity),
  };
}

/** Creates the client for the KeyValueStore of the distribution's function. Sends no request yet. */
export const openKeyValueStore = (
  { keyValueStoreArn: arn }: CloudFrontSettings,
  identity?: Identity,
): KeyValueStore =>
  createKeyValueStore({
    client: new CloudFrontKeyValueStoreClient({ ...CLIENT_OPTIONS, ...toClientOptions(identity) }),
    arn,
  });

/**
 * A bucket behind CloudFront. The objects in the bucket are the source of truth; every write of a host or header file
 * also updates the mirror in the KeyValueStore that the function reads.
 */
export function withCloudFront(edge: ReadableEdge, options: CloudFrontOptions): ReadableEdge {
  const { invalidations, keyValues, defaultHeaders } = options;
  /** Keys of header sets that the store already has. Blogs share the sets, and AWS charges every request. */
  const writtenSetKeys = new Set<string>();
  const fillOnce = memoised(fillNewStore);

  /** A store without the default header set is new: fill it from all files in the bucket. */
  async function fillNewStore(): Promise<void> {
    if (defaultHeaders === null) return;
    const entries = defaultEntries(defaultHeaders);
    const [markerKey = ''] = entries.keys();
    const initialChanges = new Map<string, string | null>();
    if ((await keyValues.get(markerKey)) === null) {
      for (const folder of [HOSTS_FOLDER, SITES_FOLDER]) {
        for await (const { path } of edge.list(folder)) {
          if (keysOfFile(path).length === 0) continue;
          for (const [key, value] of changesOf(path, await edge.read(path))) initialChanges.set(key, value);
        }
      }
    }
    await keyValues.change(initialChanges);
    // Last: the default header set marks the store as filled.
    await keyValues.change(entries);
    rememberSetKeys(entries.keys());
  }

  const changesOf = (path: string, bytes: Uint8Array): KeyChanges =>
    new Map([...entriesOfFile(path, bytes, options)].filter(([key]) => !writtenSetKeys.has(key)));

  function rememberSetKeys(keys: Iterable<string>): void {
    for (const key of keys) if (isHeaderSetKey(key)) writtenSetKeys.add(key);
  }

  return {
    ...edge,
    async write(path, bytes) {
      await fillOnce();
      await edge.write(path, bytes);
      const changes = changesOf(path, bytes);
      await keyValues.change(changes);
      rememberSetKeys(changes.keys());
    },
    async remove(paths) {
      await edge.remove(paths);
      await keyValues.change(new Map(paths.flatMap(keysOfFile).map((key) => [key, null])));
    },
    invalidate: (paths) => invalidations.send(paths),
  };
}
