// Slow: starts the S3 server of the tests, and waits for connection failures.
import { DeleteObjectCommand, PutBucketAclCommand, PutBucketPolicyCommand } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { prepareBucket } from '../../../../generator/edge/s3/bucket.ts';
import type { S3Location } from '../../../../generator/edge/s3/client.ts';
import { startFaultyProxy } from '../../../support/faulty-proxy.ts';
import { type S3Server, useS3Server } from '../../../support/s3-server.ts';

let s3: S3Server;
let place: S3Location;
const environment = { ...process.env };

beforeAll(async () => {
  s3 = await useS3Server();
  Object.assign(environment, process.env);
}, 300_000);

afterAll(() => s3.release());

beforeEach(async () => {
  place = { bucket: await s3.newBucket(), endpoint: s3.endpoint, forcePathStyle: true, region: null };
});

afterEach(() => {
  Object.assign(process.env, environment);
});

const timeouts = { connection: 30_000, request: 30_000, total: 100_000 };

const prepare = (changed: Partial<S3Location> = {}, installation = 'ours', isPrivate = true) =>
  prepareBucket({ ...place, ...changed }, { installation, mustBePrivate: isPrivate, timeouts });

describe('claiming a bucket', () => {
  it('a bucket is claimed once, and recognised afterwards', async () => {
    expect(await prepare()).toEqual([]);
    expect(await prepare()).toEqual([]);
    expect(await s3.read(place.bucket)).toEqual(new Map([['platen.json', '{"installation":"ours"}\n']]));
  });

  it('only one of several simultaneous installations claims a bucket', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const outcomes = await Promise.allSettled(names.map((name) => prepare({}, name)));
    const [winner, ...others] = outcomes.filter(({ status }) => status === 'fulfilled');
    expect([winner?.status, others]).toEqual(['fulfilled', []]);
    const owner = names[outcomes.findIndex(({ status }) => status === 'fulfilled')] ?? '';
    expect(await s3.read(place.bucket)).toEqual(
      new Map([['platen.json', `${JSON.stringify({ installation: owner })}\n`]]),
    );
  });
});

describe('a start on an unusable bucket', () => {
  it('a start is refused if the bucket belongs to another installation', async () => {
    await prepare({}, 'theirs');
    await expect(prepare()).rejects.toThrow(
      /another installation publishes there \(theirs; this one is ours\)/,
    );
    expect((await s3.read(place.bucket)).get('platen.json')).toContain('theirs');
  });

  it('a start is refused if the bucket belongs to another installation and the server ignores conditional writes', async () => {
    await prepare({}, 'theirs');
    const heedless = await startFaultyProxy(s3.endpoint);
    heedless.judge = async ({ method, path: asked }) => {
      const Key = asked.split(/[/?]/)[2];
      const there = { Bucket: place.bucket, Key };
      if (method === 'PUT' && Key === 'platen.json') await s3.client.send(new DeleteObjectCommand(there));
      return null;
    };
    await expect(prepare({ endpoint: heedless.endpoint })).rejects.toThrow(
      /another installation publishes there \(theirs; this one is ours\)/,
    );
    await heedless.close();
    expect((await s3.read(place.bucket)).get('platen.json')).toContain('theirs');
  });

  it('a start is refused if the bucket does not exist', async () => {
    await expect(prepare({ bucket: 'no-such-bucket' })).rejects.toThrow(
      'bucket no-such-bucket: listing it: there is no such bucket: set S3_BUCKET, or create the bucket (NoSuchBucket)',
    );
  });

  it('a start is refused if the access key is unknown or the secret is wrong', async () => {
    process.env.AWS_SECRET_ACCESS_KEY = 'wrong';
    await expect(prepare()).rejects.toThrow(/set AWS_SECRET_ACCESS_KEY \(SignatureDoesNotMatch\)/);
    process.env.AWS_ACCESS_KEY_ID = 'unknown';
    await expect(prepare()).rejects.toThrow(/set AWS_ACCESS_KEY_ID \(InvalidAccessKeyId\)/);
  });

  it('a start is refused if nothing listens, the host does not exist, or it does not speak TLS', async () => {
    await expect(prepare({ endpoint: 'http://127.0.0.1:9' })).rejects.toThrow(
      /check S3_ENDPOINT.*ECONNREFUSED/,
    );
    await expect(prepare({ endpoint: 'http://s3.invalid' })).rejects.toThrow(
      /host was not found.*S3_ENDPOINT/,
    );
    await expect(prepare({ endpoint: s3.endpoint.replace('http', 'https') })).rejects.toThrow(
      /does not speak TLS/,
    );
  });

  it('a start is refused if anybody may read a bucket that is behind a content delivery network', async () => {
    const statement = { Effect: 'Allow', Principal: '*', Action: 's3:GetObject' };
    const Policy = JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ ...statement, Resource: `arn:aws:s3:::${place.bucket}/*` }],
    });
    await s3.client.send(new PutBucketPolicyCommand({ Bucket: place.bucket, Policy }));
    await expect(prepare()).rejects.toThrow(/is public: its policy gives anyone access.*make it private/);
    expect(await prepare({}, 'ours', false)).toEqual([expect.stringContaining('is public')]);
  });

  it('a start is refused if an access control list lets anybody write', async () => {
    await s3.client.send(new PutBucketAclCommand({ Bucket: place.bucket, ACL: 'public-read-write' }));
    await expect(prepare()).rejects.toThrow(/is public: its access control list gives .* to anyone/);
  });
});
