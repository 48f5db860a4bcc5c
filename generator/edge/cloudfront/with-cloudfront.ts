import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { CloudFrontKeyValueStoreClient } from '@aws-sdk/client-cloudfront-keyvaluestore';
import type { Host } from '../../page.ts';
import type { ReadableEdge } from '../edge.ts';
import { blogKey, blogOfHeaders, headerSet, hostEntry, hostnameOf, isUsual } from './entries.ts';
import { createInvalidations, type Invalidations } from './invalidations.ts';
import { createKeyValues, type KeyChanges, type KeyValues } from './key-values.ts';
import type { CloudFrontSettings } from './settings.ts';

export interface CloudFrontOptions extends Pick<CloudFrontSettings, 'blogHost'> {
  readonly invalidations: Invalidations;
  readonly keyValues: KeyValues;
  /** The `_headers` of a blog to which nothing has been added, which need no entry for each; null where not known. */
  readonly usualHeaders: string | null;
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

export const openClient = (): CloudFrontClient => new CloudFrontClient(CLIENT);

/** What stands between a bucket and its readers, as it is set up. Nothing is asked of it yet. */
export function openCloudFront(
  { distributionId, keyValueStoreArn, blogHost }: CloudFrontSettings,
  usualHeaders: string | null,
): CloudFrontOptions {
  const client = openClient();
  const storeClient = new CloudFrontKeyValueStoreClient(CLIENT);
  return {
    blogHost,
    usualHeaders,
    invalidations: createInvalidations({ client, distributionId }),
    keyValues: createKeyValues({ client: storeClient, arn: keyValueStoreArn }),
  };
}

/**
 * A bucket behind CloudFront. The objects in the bucket are the record; what its function must know of hosts and
 * headers is a copy of it in a KeyValueStore, which follows each of them.
 */
export function withCloudFront(edge: ReadableEdge, options: CloudFrontOptions): ReadableEdge {
  const { invalidations, keyValues, blogHost, usualHeaders } = options;
  /** Sets of headers that the store has been given: blogs share them, and every question to it is charged. */
  const known = new Set<string>();
  let ready: Promise<void> | null = null;

  /** A store that has no usual headers is new, and is told of all that lies in the bucket. */
  async function prepare(): Promise<void> {
    if (usualHeaders === null) return;
    const { name, entries } = headerSet(usualHeaders, usualHeaders);
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
    known.add(name);
  }

  function changesOf(path: string, bytes: Uint8Array): KeyChanges {
    const text = Buffer.from(bytes).toString('utf8');
    const hostname = hostnameOf(path);
    if (hostname !== null) return new Map([[hostname, hostEntry(hostname, parseHost(path, text), blogHost)]]);
    const blog = blogOfHeaders(path);
    if (blog === null) return new Map();
    const { name, entries } = headerSet(text, usualHeaders);
    const added: Iterable<[string, string | null]> = known.has(name) ? [] : entries;
    return new Map([...added, [blogKey(blog), isUsual(name) ? null : name]]);
  }

  return {
    ...edge,
    async write(path, bytes) {
      ready ??= prepare();
      await ready.catch((error: unknown) => {
        ready = null;
        throw error;
      });
      await edge.write(path, bytes);
      const blog = blogOfHeaders(path);
      await keyValues.change(changesOf(path, bytes));
      if (blog !== null) known.add(headerSet(Buffer.from(bytes).toString('utf8'), usualHeaders).name);
    },
    async remove(paths) {
      await edge.remove(paths);
      await keyValues.change(new Map(paths.flatMap(keysOf).map((key) => [key, null])));
    },
    invalidate: (paths) => invalidations.send(paths),
  };
}

/** Keys that go with a file. */
function keysOf(path: string): string[] {
  const hostname = hostnameOf(path);
  if (hostname !== null) return [hostname];
  const blog = blogOfHeaders(path);
  return blog === null ? [] : [blogKey(blog)];
}

function parseHost(path: string, text: string): Host {
  const read: unknown = JSON.parse(text);
  const { blog, url } = Object(read);
  if (typeof blog === 'string' && typeof url === 'string') return { blog, url };
  throw new Error(`${path} says nothing of a host`);
}
