import { randomUUID } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import {
  DeleteObjectCommand,
  GetBucketAclCommand,
  GetBucketPolicyStatusCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { type Bucket, openBucket, type S3Location, type S3Timeouts } from './client.ts';
import { S3Error } from './errors.ts';

/** Object that names the owner of a bucket: `{"installation": "<id>"}`. */
const CLAIM_KEY = 'platen.json';

/** Key prefix of the objects that test write access at a start. */
const TEST_PREFIX = 'platen-check/';

/** Clock skew that causes a warning. A synchronized clock never differs by as much. */
const MAX_SKEW_MINUTES = 5;

const privateAddresses = new BlockList();
privateAddresses.addSubnet('127.0.0.0', 8);
privateAddresses.addSubnet('10.0.0.0', 8);
privateAddresses.addSubnet('172.16.0.0', 12);
privateAddresses.addSubnet('192.168.0.0', 16);
privateAddresses.addSubnet('169.254.0.0', 16);
privateAddresses.addAddress('::1', 'ipv6');
privateAddresses.addSubnet('fc00::', 7, 'ipv6');
privateAddresses.addSubnet('fe80::', 10, 'ipv6');

/** Whether an object is about the bucket itself (claim or access test) and is not a file of the edge. */
export const isBucketMetadata = (key: string): boolean => key === CLAIM_KEY || key.startsWith(TEST_PREFIX);

export interface BucketCheck {
  /** Id of the installation that must own the bucket. */
  readonly installation: string;
  /** Whether the bucket must not be public because a CDN serves it. */
  readonly mustBePrivate: boolean;
  readonly timeouts?: S3Timeouts;
}

/**
 * Checks that a bucket is usable and belongs to this installation, and claims it if nobody has. Rejects with a message
 * for the operator; returns warnings.
 */
export async function prepareBucket(location: S3Location, check: BucketCheck): Promise<string[]> {
  const bucket = openBucket(location, check.timeouts);
  try {
    await assertReachable(bucket);
    await testAccess(bucket);
    await claim(bucket, check.installation);
    return [
      ...tlsWarnings(location),
      ...(await clockWarnings(bucket)),
      ...(await publicWarnings(bucket, check.mustBePrivate)),
    ];
  } finally {
    bucket.client.destroy();
  }
}

/** Rejects if a bucket belongs to another installation. Writes nothing: an unclaimed bucket stays unclaimed. */
export async function assertOwnBucket(location: S3Location, installation: string): Promise<void> {
  const bucket = openBucket(location);
  try {
    const owner = await findOwner(bucket);
    if (owner !== undefined) assertOwner(bucket, owner, installation);
  } finally {
    bucket.client.destroy();
  }
}

/** Lists instead of `HeadBucket`, because responses to `HeadBucket` have no body that names the error. */
const assertReachable = ({ client, name: Bucket, attempt }: Bucket) =>
  attempt('listing it', (within) => client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }), within));

async function testAccess({ client, name: Bucket, attempt }: Bucket): Promise<void> {
  const object = { Bucket, Key: TEST_PREFIX + randomUUID() };
  await attempt('writing a test file', (within) =>
    client.send(
      new PutObjectCommand({ ...object, Body: 'Written by Platen to try the bucket out.' }),
      within,
    ),
  );
  await attempt('reading a test file', async (within) => {
    const { Body } = await client.send(new GetObjectCommand(object), within);
    await Body?.transformToByteArray();
  });
  await attempt('removing a test file', (within) => client.send(new DeleteObjectCommand(object), within));
}

/**
 * Claims a bucket with a conditional write, so only one of several concurrent claims succeeds. Some S3 servers ignore
 * the condition, so an existing claim is checked first.
 */
async function claim(bucket: Bucket, installation: string): Promise<void> {
  const owner = await findOwner(bucket);
  if (owner !== undefined) return assertOwner(bucket, owner, installation);
  const { client, name: Bucket, attempt } = bucket;
  const unclaimed = {
    Bucket,
    Key: CLAIM_KEY,
    Body: `${JSON.stringify({ installation })}\n`,
    ContentType: 'application/json',
    CacheControl: 'no-store',
    IfNoneMatch: '*',
  };
  try {
    await attempt('claiming it', (within) => client.send(new PutObjectCommand(unclaimed), within));
    return;
  } catch (error) {
    if (!(error instanceof S3Error && isAlreadyClaimed(error.code))) throw error;
  }
  assertOwner(bucket, (await findOwner(bucket)) ?? null, installation);
}

/** The installation that has claimed a bucket; null if the claim is malformed, undefined if there is none. */
async function findOwner({ client, name: Bucket, attempt }: Bucket): Promise<string | null | undefined> {
  try {
    return await attempt(`reading ${CLAIM_KEY}`, async (within) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: CLAIM_KEY }), within);
      return parseOwner((await Body?.transformToString()) ?? '');
    });
  } catch (error) {
    if (error instanceof S3Error && error.code === 'NoSuchKey') return undefined;
    throw error;
  }
}

function assertOwner({ name }: Bucket, owner: string | null, installation: string): void {
  if (owner === installation) return;
  throw new Error(
    `bucket ${name}: another installation publishes there (${owner ?? `its ${CLAIM_KEY} names nobody`}; this one is ` +
      `${installation}): set S3_BUCKET to another, or remove ${CLAIM_KEY} from it if that installation is gone`,
  );
}

/** S3 answers `ConditionalRequestConflict` to the loser of two concurrent writes. */
const isAlreadyClaimed = (code: string): boolean =>
  code === 'PreconditionFailed' || code === 'ConditionalRequestConflict';

function parseOwner(text: string): string | null {
  try {
    const { installation } = Object(JSON.parse(text));
    return typeof installation === 'string' ? installation : null;
  } catch {
    return null;
  }
}

function tlsWarnings({ endpoint }: S3Location): string[] {
  if (endpoint === null) return [];
  const { protocol, hostname } = new URL(endpoint);
  if (protocol === 'https:' || isPrivateHost(hostname)) return [];
  return [
    `S3_ENDPOINT is ${endpoint}: files are published without TLS, and anyone on the network path can read and change ` +
      'them; use https://',
  ];
}

/**
 * A wrong clock does not break requests, because the SDK signs with S3's time. But it makes the times of posts wrong.
 */
async function clockWarnings({ client, name }: Bucket): Promise<string[]> {
  const minutes = Math.round(Math.abs(client.config.systemClockOffset) / 60_000);
  if (minutes < MAX_SKEW_MINUTES) return [];
  return [
    `bucket ${name}: this machine's clock differs from S3's by ${minutes} minutes: synchronize it with NTP`,
  ];
}

/** Whether a host is this machine or in a private network, judged by its name or address. */
function isPrivateHost(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) return privateAddresses.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  return !hostname.includes('.') || /\.(?:localhost|local|internal|lan)$/.test(hostname);
}

/** Throws if `isPrivate`: readers who bypass the CDN get removed files, and pages without headers. */
async function publicWarnings(bucket: Bucket, mustBePrivate: boolean): Promise<string[]> {
  const reason = (await publicByAcl(bucket)) ?? (await publicByPolicy(bucket));
  if (reason === null) return [];
  const message = `bucket ${bucket.name} is public: ${reason}`;
  if (mustBePrivate) throw new Error(`${message}; make it private, because CloudFront serves it to readers`);
  return [message];
}

async function publicByPolicy({ client, name: Bucket, attempt }: Bucket): Promise<string | null> {
  const { PolicyStatus } = await attempt('reading its policy status', (within) =>
    client.send(new GetBucketPolicyStatusCommand({ Bucket }), within),
  ).catch(ignoreRefusal);
  return PolicyStatus?.IsPublic === true ? 'its policy gives anyone access (GetBucketPolicyStatus)' : null;
}

async function publicByAcl({ client, name: Bucket, attempt }: Bucket): Promise<string | null> {
  const { Grants = [] } = await attempt('reading its access control list', (within) =>
    client.send(new GetBucketAclCommand({ Bucket }), within),
  ).catch(ignoreRefusal);
  const publicGrant = Grants.find(({ Grantee }) =>
    /\/(?:AllUsers|AuthenticatedUsers)$/.test(Grantee?.URI ?? ''),
  );
  return publicGrant ? `its access control list gives ${publicGrant.Permission} to anyone` : null;
}

/** Ignores a refusal: some servers do not support these requests, and the credentials may lack their permissions. */
function ignoreRefusal(error: unknown): Record<string, never> {
  if (error instanceof S3Error && !/^(?:TimeoutError|AbortError|E[A-Z]+)$/.test(error.code)) return {};
  throw error;
}
