import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { contentTypeOf } from '../../../generator/edge/content-type.ts';
import { openBucket } from '../../../generator/edge/s3/client.ts';
import { openS3Edge } from '../../../generator/edge/s3/s3.ts';
import { walk } from '../../../generator/edge/walk.ts';
import { inParallel } from '../../../generator/workers/in-parallel.ts';
import { peakMemoryOf } from '../rivals/run-measured.ts';

/**
 * Child process that uploads a folder as a plain script would, with Platen's S3 client and concurrency. Reports its
 * peak memory to its parent and exits.
 */
const { FOLDER = '', S3_BUCKET: bucket = '', S3_ENDPOINT: endpoint = '' } = process.env;
const place = { bucket, endpoint, forcePathStyle: true, region: null };
const { client } = openBucket(place);
const { concurrency } = openS3Edge({ ...place, hasInvalidation: false });

async function upload({ path }: { readonly path: string }): Promise<void> {
  const Body = await readFile(join(FOLDER, path));
  const object = { Bucket: bucket, Key: path, Body, ContentType: contentTypeOf(path) };
  await client.send(new PutObjectCommand(object));
}

await inParallel([...walk(FOLDER, '')], concurrency, upload);
client.destroy();
process.send?.({ peakMemory: peakMemoryOf('self') ?? process.resourceUsage().maxRSS / 1024 });
