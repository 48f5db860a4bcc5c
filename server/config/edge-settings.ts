import { resolve } from 'node:path';
import { z } from 'zod';
import type { CloudFrontSettings } from '../../generator/edge/cloudfront/settings.ts';
import type { EdgeSettings } from '../../generator/edge/open-edge.ts';

/** Variables of the edge. The AWS SDK finds its credentials itself, in `AWS_*` and elsewhere. */
export const edgeVariables = {
  PLATEN_EDGE: z.enum(['filesystem', 's3'], 'must be filesystem or s3').default('filesystem'),
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

/** Normalises an endpoint, which identifies the edge: no trailing slash, no default port. */
function normalizeEndpoint(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/+$/, '');
}

const s3Variables = [
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

type EdgeEnvironment = z.infer<z.ZodObject<typeof edgeVariables>> & {
  readonly PLATEN_MEDIA_URL?: string | undefined;
  readonly PLATEN_BLOG_HOST?: string | undefined;
};

/** Missing and useless variables of the edge, each with the name of the variable to fix. */
export function* edgeProblems(env: EdgeEnvironment): Generator<{ name: string; message: string }> {
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
  for (const name of s3Variables) {
    if (env[name] !== undefined)
      yield { name, message: 'works only with PLATEN_EDGE=s3: set that too, or remove this' };
  }
}

/** The edge's settings from validated variables. */
export function edgeSettingsOf(env: EdgeEnvironment, dataDir: string): EdgeSettings {
  if (env.PLATEN_EDGE === 'filesystem') return { kind: 'filesystem', folder: resolve(dataDir, 'edge') };
  return {
    kind: 's3',
    bucket: env.S3_BUCKET ?? '',
    endpoint: env.S3_ENDPOINT ?? null,
    // S3 servers other than Amazon's seldom have a host for each bucket.
    forcePathStyle: env.S3_FORCE_PATH_STYLE ?? env.S3_ENDPOINT !== undefined,
    region: env.AWS_REGION ?? null,
    cloudfront: cloudFrontOf(env),
  };
}

function cloudFrontOf(env: EdgeEnvironment): CloudFrontSettings | null {
  const { CLOUDFRONT_DISTRIBUTION_ID: distributionId, CLOUDFRONT_KVS_ARN: keyValueStoreArn } = env;
  if (distributionId === undefined || keyValueStoreArn === undefined) return null;
  const blogHost = (env.PLATEN_BLOG_HOST ?? '').toLowerCase().replace(/:\d+$/, '');
  const connectionGroupId = env.CLOUDFRONT_CONNECTION_GROUP_ID ?? null;
  return { distributionId, keyValueStoreArn, blogHost, connectionGroupId };
}

/**
 * Silences the AWS SDK's warning about the Node version that its later releases need: eight lines at each start that
 * an operator can do nothing about. A value that the operator has set stays.
 */
export function silenceSdkWarning(env: NodeJS.ProcessEnv): void {
  env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
}
