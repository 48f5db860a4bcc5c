import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { INDEX_FILE } from '../../addresses.ts';
import { cacheControlOf } from '../cache-control.ts';
import { contentTypeOf } from '../content-type.ts';
import type { ListedFile, ReadableEdge } from '../edge.ts';
import { isRedirectPage, redirectTargetOf } from '../redirect.ts';
import { isBucketMetadata } from './bucket.ts';
import { openBucket, type S3Location, type S3Timeouts } from './client.ts';
import { explain } from './errors.ts';

export interface S3EdgeOptions extends S3Location {
  /** Whether a CDN in front gets an invalidation for every change, and so may cache objects. */
  readonly hasInvalidation: boolean;
  readonly timeouts?: S3Timeouts;
}

const CONCURRENCY = 32;

/** S3's limit of objects per delete request. */
const MAX_DELETED_KEYS = 1_000;

/**
 * An edge in a bucket. Paths are the object keys. Every failed request is an `S3Error`; after a failed write, the
 * object may or may not have changed.
 */
export function openS3Edge({ hasInvalidation, timeouts, ...location }: S3EdgeOptions): ReadableEdge {
  const bucket = openBucket(location, timeouts);
  const { client, name: Bucket, attempt } = bucket;

  async function removeBatch(paths: readonly string[]): Promise<void> {
    const Delete = { Quiet: true, Objects: paths.map((Key) => ({ Key })) };
    const { Errors = [] } = await attempt(`removing ${paths[0]} and ${paths.length - 1} more`, (within) =>
      client.send(new DeleteObjectsCommand({ Bucket, Delete }), within),
    );
    const [first] = Errors;
    if (!first) return;
    const { Key, Code = 'unknown', Message } = first;
    const reason = explain(Code) ?? Message;
    throw new Error(
      `bucket ${Bucket}: ${Errors.length} of ${paths.length} files were not removed, ${Key} among them: ${reason} (${Code})`,
    );
  }

  /** S3 lists a thousand objects per request, sorted by the bytes of their keys. */
  async function* list(folder: string): AsyncGenerator<ListedFile> {
    let continuation: string | undefined;
    do {
      const from = {
        Bucket,
        Prefix: folder,
        ...(continuation !== undefined && { ContinuationToken: continuation }),
      };
      const listed = await attempt(`listing ${folder}`, (within) =>
        client.send(new ListObjectsV2Command(from), within),
      );
      for (const { Key: path = '', Size: size = 0, ETag = '' } of listed.Contents ?? []) {
        if (!isBucketMetadata(path))
          yield { path, size, md5: /^"?([0-9a-f]{32})"?$/.exec(ETag)?.[1] ?? null };
      }
      continuation = listed.IsTruncated ? listed.NextContinuationToken : undefined;
    } while (continuation !== undefined);
  }

  return {
    concurrency: CONCURRENCY,
    list,
    read: (path) =>
      attempt(`reading ${path}`, async (within) => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: path }), within);
        if (!Body) throw new Error('the response has no body');
        return Body.transformToByteArray();
      }),
    async write(path, bytes) {
      // A server in front of the bucket can turn this header (`x-amz-meta-location`) into an HTTP redirect.
      const location = redirectTargetOf(bytes);
      const object = new PutObjectCommand({
        Bucket,
        Key: path,
        Body: bytes,
        // An owner's redirect may be at `/old.php`.
        ContentType: contentTypeOf(isRedirectPage(bytes) ? INDEX_FILE : path),
        CacheControl: cacheControlOf(path, { invalidated: hasInvalidation }),
        ...(location !== null && { Metadata: { location } }),
      });
      await attempt(`writing ${path}`, (within) => client.send(object, within));
    },
    async remove(paths) {
      for (let from = 0; from < paths.length; from += MAX_DELETED_KEYS) {
        await removeBatch(paths.slice(from, from + MAX_DELETED_KEYS));
      }
    },
    invalidate: async () => 0,
  };
}
