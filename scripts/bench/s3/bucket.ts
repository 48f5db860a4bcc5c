import { CreateBucketCommand } from '@aws-sdk/client-s3';
import type { ReadableEdge } from '../../../generator/edge/edge.ts';
import { openBucket } from '../../../generator/edge/s3/client.ts';
import { openS3Edge } from '../../../generator/edge/s3/s3.ts';
import { cephTool, credentials, startCeph } from '../../tools/ceph.ts';
import { installPackages } from '../../tools/install-packages.ts';
import type { Scratch } from '../support/scratch.ts';

/** A bucket on its own S3 server. */
export interface BenchBucket {
  readonly endpoint: string;
  /** Read access to the bucket. */
  readonly edge: ReadableEdge;
  /** Environment variables for a Platen that publishes to it, through this endpoint or another. */
  env(endpoint?: string): Record<string, string>;
}

/** Pages contain it, so it must be the same for every edge that is compared. */
export const MEDIA_URL = 'https://media.example.org';

const NAME = 'bench';
const BYTES = 16 * 2 ** 30;

/**
 * Runs `work` with an S3 server that has an empty bucket in memory. Installs a missing server if it is root on
 * Debian.
 */
export async function withBucket<T>(
  scratch: Scratch,
  name: string,
  work: (bucket: BenchBucket) => Promise<T>,
): Promise<T> {
  installPackages(cephTool);
  const ceph = await startCeph(scratch.folder(name), BYTES);
  process.prependOnceListener('exit', ceph.stop);
  const keys = {
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  };
  Object.assign(process.env, keys);
  const { endpoint } = ceph;
  const place = { bucket: NAME, endpoint, forcePathStyle: true, region: null };
  try {
    const { client } = openBucket(place);
    await client.send(new CreateBucketCommand({ Bucket: NAME }));
    client.destroy();
    return await work({
      endpoint,
      edge: openS3Edge({ ...place, hasInvalidation: false }),
      env: (by = endpoint) => ({
        PLATEN_EDGE: 's3',
        PLATEN_MEDIA_URL: MEDIA_URL,
        S3_BUCKET: NAME,
        S3_ENDPOINT: by,
        ...keys,
      }),
    });
  } finally {
    process.off('exit', ceph.stop);
    ceph.stop();
  }
}
