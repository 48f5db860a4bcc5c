import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type _Object,
  CreateBucketCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';

/** The S3 server of the tests, started by the first suite that needs it and shared by all. */
export interface S3Server {
  readonly endpoint: string;
  readonly client: S3Client;
  /** Creates a bucket for one test. */
  newBucket(): Promise<string>;
  /** Environment of a Platen that publishes to a bucket. */
  env(bucket: string): Record<string, string>;
  /** All objects of a bucket by key, with their bytes as text. */
  read(bucket: string, prefix?: string): Promise<Map<string, string>>;
  /** The files of a blog in a bucket, in the format of `readEdge`. */
  readBlog(bucket: string, blogSlug: string): Promise<Map<string, string>>;
  release(): void;
}

const START_MS = 240_000;
const ROUND_MS = 100;
const RETRY_ROUNDS = 30;

/** One folder for each checkout and user, so that parallel runs share the server. */
const folder = join(
  tmpdir(),
  `platen-s3-${userInfo().uid}-${createHash('sha256')
    .update(import.meta.url)
    .digest('hex')
    .slice(0, 8)}`,
);

/** Uses the server until `release`. Sets credentials in the environment, where the SDK looks for them. */
export async function useS3Server(): Promise<S3Server> {
  const socket = await reach();
  const { endpoint = '', accessKeyId = '', secretAccessKey = '', error } = await reply(socket);
  if (error !== undefined) throw new Error(error);
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey });
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  /** Objects read before, by bucket, key and version. */
  const known = new Map<string, string>();

  async function read(Bucket: string, Prefix = ''): Promise<Map<string, string>> {
    const objects: _Object[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
      objects.push(...Contents);
    }
    const texts = objects.map(async ({ Key = '', ETag }) => {
      const version = JSON.stringify([Bucket, Key, ETag]);
      const text = known.get(version) ?? (await readObject(Bucket, Key));
      known.set(version, text);
      return [Key, text] as const;
    });
    return new Map(await Promise.all(texts));
  }

  async function readObject(Bucket: string, Key: string): Promise<string> {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    return (await Body?.transformToString()) ?? '';
  }

  return {
    endpoint,
    client,
    async newBucket() {
      const bucket = `test-${randomUUID()}`;
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      return bucket;
    },
    env: (bucket) => ({
      PLATEN_EDGE: 's3',
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint,
      PLATEN_MEDIA_URL: `${endpoint}/${bucket}/media`,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    }),
    read,
    async readBlog(bucket, blogSlug) {
      const folder = `sites/${blogSlug}/`;
      const files = [...(await read(bucket, folder))].map(
        ([key, text]) => [key.slice(folder.length), text] as const,
      );
      const hosts = [...(await read(bucket, 'hosts/'))]
        .filter(([, text]) => JSON.parse(text).blog === blogSlug)
        .map(([key, text]) => [`/${key}`, text] as const);
      return new Map([...files, ...hosts]);
    },
    release() {
      client.destroy();
      socket.destroy();
    },
  };
}

/**
 * Connects to the server's supervisor, and starts one if there is none. If several start, all but one end at once.
 */
async function reach(): Promise<Socket> {
  const supervisor = createRequire(import.meta.url).resolve('#dist/scripts/s3-server.js');
  const end = Date.now() + START_MS;
  for (let round = 0; Date.now() < end; round++) {
    const socket = connect(join(folder, 'socket'));
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    if (connected) return socket.unref();
    // A supervisor that was there may be about to end.
    if (round % RETRY_ROUNDS === 0) {
      spawn(process.execPath, [supervisor, folder], { detached: true, stdio: 'ignore' }).unref();
    }
    await sleep(ROUND_MS);
  }
  throw new Error(`no S3 server came up in ${folder}`);
}

async function reply(socket: Socket): Promise<Partial<Record<string, string>>> {
  socket.ref();
  for await (const line of createInterface({ input: socket })) {
    socket.unref();
    return JSON.parse(line);
  }
  throw new Error('the S3 server ended before it was there');
}
