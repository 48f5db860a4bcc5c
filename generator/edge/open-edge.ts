import type { KeyValueMirror } from './cloudfront/key-value-mirror.ts';
import type { CloudFrontSettings } from './cloudfront/settings.ts';
import type { Tenants } from './cloudfront/tenants.ts';
import type { ReadableEdge } from './edge.ts';
import { type FilesystemEdgeOptions, openFilesystemEdge, prepareFolder } from './filesystem.ts';
import type { S3Location } from './s3/client.ts';

/** Settings of an installation's edge. */
export type EdgeSettings =
  | { readonly kind: 'filesystem'; readonly folder: string }
  | ({ readonly kind: 's3' } & S3Location & { readonly cloudfront: CloudFrontSettings | null });

export interface OpenEdgeOptions extends FilesystemEdgeOptions {
  /** The `_headers` file of a blog without additions of its own. Needed by callers that write `_headers` files. */
  readonly defaultHeaders?: string;
}

/** Opens the configured edge. Options that do not apply to its kind are ignored. */
export async function openEdge(
  settings: EdgeSettings,
  { defaultHeaders, ...options }: OpenEdgeOptions = {},
): Promise<ReadableEdge> {
  if (settings.kind === 'filesystem') return openFilesystemEdge(settings.folder, options);
  // Loaded on demand: a filesystem edge does not need the AWS SDK.
  const { openS3Edge } = await import('./s3/s3.ts');
  const bucket = openS3Edge({ ...settings, hasInvalidation: settings.cloudfront !== null });
  if (settings.cloudfront === null) return bucket;
  const { openCloudFront, withCloudFront } = await import('./cloudfront/with-cloudfront.ts');
  return withCloudFront(
    bucket,
    openCloudFront(settings.cloudfront, defaultHeaders ?? null, settings.identity),
  );
}

/** A name that tells edges apart. A folder needs no path: an installation's edge folder is always beside its database. */
export const edgeNameOf = (settings: EdgeSettings): string =>
  settings.kind === 'filesystem' ? 'filesystem' : `s3:${settings.endpoint ?? ''}/${settings.bucket}`;

/** Opens the edge's key-value mirror; null if no CloudFront distribution is configured. */
export async function openKeyValueMirror(
  settings: EdgeSettings,
  defaultHeaders: string,
): Promise<KeyValueMirror | null> {
  if (settings.kind === 'filesystem' || !settings.cloudfront) return null;
  const { createKeyValueMirror } = await import('./cloudfront/key-value-mirror.ts');
  const { openKeyValueStore } = await import('./cloudfront/with-cloudfront.ts');
  const { blogHost } = settings.cloudfront;
  return createKeyValueMirror(openKeyValueStore(settings.cloudfront, settings.identity), {
    blogHost,
    defaultHeaders,
  });
}

/** Opens the distribution tenants that serve custom domains; null if they are not configured. */
export async function openTenants(settings: EdgeSettings): Promise<Tenants | null> {
  if (settings.kind === 'filesystem' || !settings.cloudfront) return null;
  const { distributionId, connectionGroupId } = settings.cloudfront;
  if (connectionGroupId === null) return null;
  const { createTenants } = await import('./cloudfront/tenants.ts');
  const { openClient } = await import('./cloudfront/with-cloudfront.ts');
  return createTenants({ client: openClient(settings.identity), distributionId, connectionGroupId });
}

/** Rejects if the edge belongs to another installation. */
export async function assertOwnEdge(settings: EdgeSettings, installation: string): Promise<void> {
  if (settings.kind === 'filesystem') return;
  const { assertOwnBucket } = await import('./s3/bucket.ts');
  await assertOwnBucket(settings, installation);
}

/**
 * Checks that the edge is usable and belongs to this installation, and claims it if nobody has. Rejects with a message
 * for the operator; returns warnings.
 */
export async function prepareEdge(settings: EdgeSettings, installation: string): Promise<string[]> {
  if (settings.kind === 'filesystem') {
    // The lock on the data folder also covers the edge in it.
    await prepareFolder(settings.folder);
    return [];
  }
  const { prepareBucket } = await import('./s3/bucket.ts');
  return prepareBucket(settings, { installation, mustBePrivate: settings.cloudfront !== null });
}
