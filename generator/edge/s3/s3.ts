import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { cacheControlOf } from '../cache-control.ts';
import { contentTypeOf } from '../content-type.ts';
import type { ListedFile, ReadableEdge } from '../edge.ts';
import { redirectOf } from '../redirect.ts';
import { isOfBucket } from './bucket.ts';
import { openBucket, type S3Patience, type S3Place } from './client.ts';
import { explain } from './errors.ts';

export interface S3EdgeOptions extends S3Place {
  /** Whether a CDN in front gets an invalidation for every change, and so may cache objects. */
  readonly invalidated: boolean;
  readonly patience?: S3Patience;
}

const CONCURRENCY = 32;

/** S3's limit of objects per delete request. */
const REMOVED_AT_ONCE = 1_000;

/**
 * An edge in a bucket. Paths are the object keys. Every failed request is an `S3Error`; after a failed write, the object
 * may or may not have changed.
 */
export function openS3Edge({ invalidated, patience, ...place }: S3EdgeOptions): ReadableEdge {
  const bucket = openBucket(place, patience);
  const { client, name: Bucket, attempt } = bucket;

  async function removeAtOnce(paths: readonly string[]): Promise<void> {
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
    let after: string | undefined;
    do {
      const from = { Bucket, Prefix: folder, ...(after !== undefined && { ContinuationToken: after }) };
      const listed = await attempt(`listing ${folder}`, (within) =>
        client.send(new ListObjectsV2Command(from), within),
      );
      for (const { Key: path = '', Size: size = 0, ETag = '' } of listed.Contents ?? []) {
        if (!isOfBucket(path)) yield { path, size, md5: /^"?([0-9a-f]{32})"?$/.exec(ETag)?.[1] ?? null };
      }
      after = listed.IsTruncated ? listed.NextContinuationToken : undefined;
    } while (after !== undefined);
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
      const location = redirectOf(bytes);
      const object = new PutObjectCommand({
        Bucket,
        Key: path,
        Body: bytes,
        ContentType: contentTypeOf(path),
        CacheControl: cacheControlOf(path, { invalidated }),
        ...(location !== null && { Metadata: { location } }),
      });
      await attempt(`writing ${path}`, (within) => client.send(object, within));
    },
    async remove(paths) {
      for (let from = 0; from < paths.length; from += REMOVED_AT_ONCE) {
        await removeAtOnce(paths.slice(from, from + REMOVED_AT_ONCE));
      }
    },
    invalidate: async () => 0,
  };
}
