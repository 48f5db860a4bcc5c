import { z } from 'zod';
import type { CloudFrontSettings } from './cloudfront/settings.ts';
import type { ConfiguredEdge, EdgeKind } from './edge-kind.ts';
import type { S3Location } from './s3/client.ts';

export interface S3Settings extends S3Location {
  readonly kind: 's3';
  /** Null if no distribution is configured. */
  readonly cloudfront: CloudFrontSettings | null;
}

/** Variables of a bucket. The AWS SDK finds its credentials itself, in `AWS_*` and elsewhere. */
export const s3Variables = {
  S3_BUCKET: z.string().optional(),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .refine((url) => !/[?#]/.test(url), 'must end before any ? or #')
    .refine(
      (url) => !/^\w+:\/\/[^/]*@/.test(url),
      'must not contain a user: set credentials in AWS_ACCESS_KEY_ID',
    )
    .transform(normalizeEndpoint)
    .optional(),
  S3_FORCE_PATH_STYLE: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((text) => text === 'true')
    .optional(),
  AWS_REGION: z.string().optional(),
  CLOUDFRONT_DISTRIBUTION_ID: z
    .string()
    .regex(/^[A-Z0-9]+$/, 'must be the id of a distribution, such as E2QWRUHAPOMQZL')
    .optional(),
  CLOUDFRONT_KVS_ARN: z
    .string()
    .regex(/^arn:aws:cloudfront::\d{12}:key-value-store\/[\w-]+$/, 'must be the ARN of a KeyValueStore')
    .optional(),
  CLOUDFRONT_CONNECTION_GROUP_ID: z.string().optional(),
};

type S3Environment = z.infer<z.ZodObject<typeof s3Variables>> & {
  readonly PLATEN_EDGE: string;
  readonly PLATEN_MEDIA_URL?: string | undefined;
  readonly PLATEN_BLOG_HOST?: string | undefined;
};

/** A bucket on Amazon S3 or another S3 server, with or without CloudFront in front. */
export const s3Kind: EdgeKind<S3Environment, S3Settings> = {
  problems,
  settingsOf: (env) => ({
    kind: 's3',
    bucket: env.S3_BUCKET ?? '',
    endpoint: env.S3_ENDPOINT ?? null,
    // S3 servers other than Amazon's seldom have a host for each bucket.
    forcePathStyle: env.S3_FORCE_PATH_STYLE ?? env.S3_ENDPOINT !== undefined,
    region: env.AWS_REGION ?? null,
    cloudfront: cloudFrontOf(env),
  }),
  edgeOf,
};

/** Normalises an endpoint, which identifies the edge: no trailing slash, no default port. */
function normalizeEndpoint(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/+$/, '');
}

/** Variables that have no effect on another kind of edge. */
const ownVariables = [
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_FORCE_PATH_STYLE',
  'CLOUDFRONT_DISTRIBUTION_ID',
] as const;

/** Variables, each with another one that it needs. */
const requiredPairs = [
  ['CLOUDFRONT_KVS_ARN', 'CLOUDFRONT_DISTRIBUTION_ID'],
  ['CLOUDFRONT_DISTRIBUTION_ID', 'CLOUDFRONT_KVS_ARN'],
  ['CLOUDFRONT_DISTRIBUTION_ID', 'PLATEN_BLOG_HOST'],
  ['CLOUDFRONT_CONNECTION_GROUP_ID', 'CLOUDFRONT_DISTRIBUTION_ID'],
] as const;

function* problems(env: S3Environment): Generator<{ name: string; message: string }> {
  for (const [name, other] of requiredPairs) {
    if (env[name] !== undefined && env[other] === undefined)
      yield { name, message: `works only with ${other}: set that too, or remove this` };
  }
  if (env.PLATEN_EDGE === 's3') {
    if (env.S3_BUCKET === undefined) yield { name: 'S3_BUCKET', message: 'is needed with PLATEN_EDGE=s3' };
    if (env.PLATEN_MEDIA_URL === undefined) {
      const message = 'is needed with PLATEN_EDGE=s3: the public URL of media/ in the bucket';
      yield { name: 'PLATEN_MEDIA_URL', message };
    }
    return;
  }
  for (const name of ownVariables) {
    if (env[name] !== undefined)
      yield { name, message: 'works only with PLATEN_EDGE=s3: set that too, or remove this' };
  }
}

function cloudFrontOf(env: S3Environment): CloudFrontSettings | null {
  const { CLOUDFRONT_DISTRIBUTION_ID: distributionId, CLOUDFRONT_KVS_ARN: keyValueStoreArn } = env;
  if (distributionId === undefined || keyValueStoreArn === undefined) return null;
  const blogHost = (env.PLATEN_BLOG_HOST ?? '').toLowerCase().replace(/:\d+$/, '');
  const connectionGroupId = env.CLOUDFRONT_CONNECTION_GROUP_ID ?? null;
  return { distributionId, keyValueStoreArn, blogHost, connectionGroupId };
}

/** Imports are dynamic, because a filesystem edge does not need the AWS SDK. */
function edgeOf(settings: S3Settings): ConfiguredEdge {
  const { bucket, endpoint, identity, cloudfront } = settings;
  return {
    name: `s3:${endpoint ?? ''}/${bucket}`,
    description: `bucket ${bucket}`,
    localFolder: null,
    async prepare(installation) {
      const { prepareBucket } = await import('./s3/bucket.ts');
      return prepareBucket(settings, { installation, mustBePrivate: cloudfront !== null });
    },
    async assertOwn(installation) {
      const { assertOwnBucket } = await import('./s3/bucket.ts');
      await assertOwnBucket(settings, installation);
    },
    async open({ defaultHeaders = null } = {}) {
      const { openS3Edge } = await import('./s3/s3.ts');
      const edge = openS3Edge({ ...settings, hasInvalidation: cloudfront !== null });
      if (cloudfront === null) return edge;
      const { openCloudFront, withCloudFront } = await import('./cloudfront/with-cloudfront.ts');
      return withCloudFront(edge, openCloudFront(cloudfront, defaultHeaders, identity));
    },
    async openKeyValueMirror(defaultHeaders) {
      if (cloudfront === null) return null;
      const { createKeyValueMirror } = await import('./cloudfront/key-value-mirror.ts');
      const { openKeyValueStore } = await import('./cloudfront/with-cloudfront.ts');
      const { blogHost } = cloudfront;
      return createKeyValueMirror(openKeyValueStore(cloudfront, identity), { blogHost, defaultHeaders });
    },
    async openTenants() {
      if (cloudfront === null || cloudfront.connectionGroupId === null) return null;
      const { distributionId, connectionGroupId } = cloudfront;
      const { createTenants } = await import('./cloudfront/tenants.ts');
      const { openClient } = await import('./cloudfront/with-cloudfront.ts');
      return createTenants({ client: openClient(identity), distributionId, connectionGroupId });
    },
  };
}
