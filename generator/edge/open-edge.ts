import type { Told } from './cloudfront/key-value-mirror.ts';
import type { CloudFrontSettings } from './cloudfront/settings.ts';
import type { Tenants } from './cloudfront/tenants.ts';
import type { ReadableEdge } from './edge.ts';
import { type FilesystemEdgeOptions, openFilesystemEdge, prepareFolder } from './filesystem.ts';
import type { S3Place } from './s3/client.ts';

/** Which edge an installation has. */
export type EdgeSettings =
  | { readonly kind: 'filesystem'; readonly folder: string }
  | ({ readonly kind: 's3' } & S3Place & { readonly cloudfront: CloudFrontSettings | null });

export interface OpenEdgeOptions extends FilesystemEdgeOptions {
  /** The `_headers` of a blog to which nothing has been added, for whoever writes such files. */
  readonly usualHeaders?: string;
}

/** Opens the configured edge, for whoever works on it. Those options that an edge has no use for are ignored. */
export async function openEdge(
  settings: EdgeSettings,
  { usualHeaders, ...options }: OpenEdgeOptions = {},
): Promise<ReadableEdge> {
  if (settings.kind === 'filesystem') return openFilesystemEdge(settings.folder, options);
  // Whoever publishes to a folder need not load what it takes to publish to a bucket.
  const { openS3Edge } = await import('./s3/s3.ts');
  const bucket = openS3Edge({ ...settings, invalidated: settings.cloudfront !== null });
  if (settings.cloudfront === null) return bucket;
  const { openCloudFront, withCloudFront } = await import('./cloudfront/with-cloudfront.ts');
  return withCloudFront(bucket, openCloudFront(settings.cloudfront, usualHeaders ?? null, settings.identity));
}

/** The name of an edge, by which others are told from it. The folder of an installation is where its database is. */
export const nameOfEdge = (settings: EdgeSettings): string =>
  settings.kind === 'filesystem' ? 'filesystem' : `s3:${settings.endpoint ?? ''}/${settings.bucket}`;

/** Opens what is told to those who stand before the configured edge; null where nobody does, or has to be told. */
export async function openTold(settings: EdgeSettings, usualHeaders: string): Promise<Told | null> {
  if (settings.kind === 'filesystem' || !settings.cloudfront) return null;
  const { createTold } = await import('./cloudfront/key-value-mirror.ts');
  const { openKeyValues } = await import('./cloudfront/with-cloudfront.ts');
  const { blogHost } = settings.cloudfront;
  return createTold(openKeyValues(settings.cloudfront, settings.identity), { blogHost, usualHeaders });
}

/** Opens what serves custom domains where they are tenants of a distribution; null where they are not. */
export async function openTenants(settings: EdgeSettings): Promise<Tenants | null> {
  if (settings.kind === 'filesystem' || !settings.cloudfront) return null;
  const { distributionId, connectionGroupId } = settings.cloudfront;
  if (connectionGroupId === null) return null;
  const { createTenants } = await import('./cloudfront/tenants.ts');
  const { openClient } = await import('./cloudfront/with-cloudfront.ts');
  return createTenants({ client: openClient(settings.identity), distributionId, connectionGroupId });
}

/** Rejects where the edge is another installation's. */
export async function assertOwnEdge(settings: EdgeSettings, installation: string): Promise<void> {
  if (settings.kind === 'filesystem') return;
  const { assertOwnBucket } = await import('./s3/bucket.ts');
  await assertOwnBucket(settings, installation);
}

/**
 * Makes sure, at the start of a server, that its edge can be worked with and is this installation's. Rejects with what
 * is to be mended; returns what is doubtful.
 */
export async function prepareEdge(settings: EdgeSettings, installation: string): Promise<string[]> {
  if (settings.kind === 'filesystem') {
    // The lock on the data folder is the lock on an edge in it.
    await prepareFolder(settings.folder);
    return [];
  }
  const { prepareBucket } = await import('./s3/bucket.ts');
  return prepareBucket(settings, { installation, isPrivate: settings.cloudfront !== null });
}
