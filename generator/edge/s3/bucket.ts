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
import { type Bucket, openBucket, type S3Patience, type S3Place } from './client.ts';
import { S3Error } from './errors.ts';

/** What tells whose a bucket is: `{"installation": "<id>"}`. */
const CLAIM = 'platen.json';

/** Where a start tries out whether it may write. */
const TRIAL = 'platen-check/';

/** Clocks that differ by as much are not set by anybody. */
const SKEW_MINUTES = 5;

const nearAddresses = new BlockList();
nearAddresses.addSubnet('127.0.0.0', 8);
nearAddresses.addSubnet('10.0.0.0', 8);
nearAddresses.addSubnet('172.16.0.0', 12);
nearAddresses.addSubnet('192.168.0.0', 16);
nearAddresses.addSubnet('169.254.0.0', 16);
nearAddresses.addAddress('::1', 'ipv6');
nearAddresses.addSubnet('fc00::', 7, 'ipv6');
nearAddresses.addSubnet('fe80::', 10, 'ipv6');

/** Whether an object says something of the bucket, and is no file of the edge. */
export const isOfBucket = (key: string): boolean => key === CLAIM || key.startsWith(TRIAL);

export interface BucketCheck {
  /** Whose the bucket is to be. */
  readonly installation: string;
  /** Whether only a network in front of the bucket is to read it. */
  readonly isPrivate: boolean;
  readonly patience?: S3Patience;
}

/**
 * Makes sure that a bucket can be worked with, and that it is this installation's, which claims it where it is
 * nobody's. Rejects with what is to be mended; returns what is doubtful.
 */
export async function prepareBucket(place: S3Place, check: BucketCheck): Promise<string[]> {
  const bucket = openBucket(place, check.patience);
  try {
    await reach(bucket);
    await tryOut(bucket);
    await claim(bucket, check.installation);
    return [
      ...plainWarnings(place),
      ...(await clockWarnings(bucket)),
      ...(await publicWarnings(bucket, check.isPrivate)),
    ];
  } finally {
    bucket.client.destroy();
  }
}

/** Rejects where a bucket is another installation's. Nothing is written: one that is nobody's stays so. */
export async function assertOwnBucket(place: S3Place, installation: string): Promise<void> {
  const bucket = openBucket(place);
  try {
    const owner = await ownerOf(bucket);
    if (owner !== undefined) assertOwner(bucket, owner, installation);
  } finally {
    bucket.client.destroy();
  }
}

/** Unlike `HeadBucket`, whose answers have no body, a listing says what is wrong. */
const reach = ({ client, name: Bucket, attempt }: Bucket) =>
  attempt('reaching it', (within) => client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }), within));

async function tryOut({ client, name: Bucket, attempt }: Bucket): Promise<void> {
  const object = { Bucket, Key: TRIAL + randomUUID() };
  await attempt('writing a file to try it out', (within) =>
    client.send(
      new PutObjectCommand({ ...object, Body: 'Written by Platen to try the bucket out.' }),
      within,
    ),
  );
  await attempt('reading a file to try it out', async (within) => {
    const { Body } = await client.send(new GetObjectCommand(object), within);
    await Body?.transformToByteArray();
  });
  await attempt('removing a file to try it out', (within) =>
    client.send(new DeleteObjectCommand(object), within),
  );
}

/**
 * Of several that claim a bucket at once, one has it: S3 keeps the first object that is written on this condition. Not
 * every server heeds it, so a claim that is there is looked at first.
 */
async function claim(bucket: Bucket, installation: string): Promise<void> {
  const owner = await ownerOf(bucket);
  if (owner !== undefined) return assertOwner(bucket, owner, installation);
  const { client, name: Bucket, attempt } = bucket;
  const unclaimed = {
    Bucket,
    Key: CLAIM,
    Body: `${JSON.stringify({ installation })}\n`,
    ContentType: 'application/json',
    CacheControl: 'no-store',
    IfNoneMatch: '*',
  };
  try {
    await attempt('claiming it', (within) => client.send(new PutObjectCommand(unclaimed), within));
    return;
  } catch (error) {
    if (!(error instanceof S3Error && isTaken(error.code))) throw error;
  }
  assertOwner(bucket, (await ownerOf(bucket)) ?? null, installation);
}

/** Who has claimed a bucket; null where the claim cannot be read, undefined where nobody has. */
async function ownerOf({ client, name: Bucket, attempt }: Bucket): Promise<string | null | undefined> {
  try {
    return await attempt(`reading ${CLAIM}`, async (within) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: CLAIM }), within);
      return ownerIn((await Body?.transformToString()) ?? '');
    });
  } catch (error) {
    if (error instanceof S3Error && error.code === 'NoSuchKey') return undefined;
    throw error;
  }
}

function assertOwner({ name }: Bucket, owner: string | null, installation: string): void {
  if (owner === installation) return;
  throw new Error(
    `bucket ${name}: another installation publishes there (${owner ?? `its ${CLAIM} names nobody`}; this one is ` +
      `${installation}): set S3_BUCKET to another, or remove ${CLAIM} from it if that installation is gone`,
  );
}

/** The second is what S3 answers to one of two that write at the same moment; the other has been written. */
const isTaken = (code: string): boolean =>
  code === 'PreconditionFailed' || code === 'ConditionalRequestConflict';

function ownerIn(text: string): string | null {
  try {
    const { installation } = Object(JSON.parse(text));
    return typeof installation === 'string' ? installation : null;
  } catch {
    return null;
  }
}

function plainWarnings({ endpoint }: S3Place): string[] {
  if (endpoint === null) return [];
  const { protocol, hostname } = new URL(endpoint);
  if (protocol === 'https:' || isNear(hostname)) return [];
  return [
    `S3_ENDPOINT is ${endpoint}: whatever is published goes there without TLS, and anybody on the way may read and ` +
      'change it; have it begin with https://',
  ];
}

/** A clock that is wrong is no hindrance: the SDK signs with the time that S3 has. But posts have times, too. */
async function clockWarnings({ client, name }: Bucket): Promise<string[]> {
  const minutes = Math.round(Math.abs(client.config.systemClockOffset) / 60_000);
  if (minutes < SKEW_MINUTES) return [];
  return [
    `bucket ${name}: this machine's clock differs from that of S3 by ${minutes} minutes: have it set by NTP`,
  ];
}

/** Whether a host is this machine, or one of a private network, as far as its name tells. */
function isNear(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) return nearAddresses.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  return !hostname.includes('.') || /\.(?:localhost|local|internal|lan)$/.test(hostname);
}

/** Nobody but the network in front is to read the bucket: past it, readers get what was removed and no headers. */
async function publicWarnings(bucket: Bucket, isPrivate: boolean): Promise<string[]> {
  const reason = (await publicByAcl(bucket)) ?? (await publicByPolicy(bucket));
  if (reason === null) return [];
  const message = `bucket ${bucket.name} is public: ${reason}`;
  if (isPrivate) throw new Error(`${message}; make it private, for readers come through CloudFront`);
  return [message];
}

async function publicByPolicy({ client, name: Bucket, attempt }: Bucket): Promise<string | null> {
  const { PolicyStatus } = await attempt('asking for the status of its policy', (within) =>
    client.send(new GetBucketPolicyStatusCommand({ Bucket }), within),
  ).catch(unlessRefused);
  return PolicyStatus?.IsPublic === true ? 'its policy lets anybody in (GetBucketPolicyStatus)' : null;
}

async function publicByAcl({ client, name: Bucket, attempt }: Bucket): Promise<string | null> {
  const { Grants = [] } = await attempt('asking for its access control list', (within) =>
    client.send(new GetBucketAclCommand({ Bucket }), within),
  ).catch(unlessRefused);
  const open = Grants.find(({ Grantee }) => /\/(?:AllUsers|AuthenticatedUsers)$/.test(Grantee?.URI ?? ''));
  return open ? `its access control list gives ${open.Permission} to anybody` : null;
}

/** Not every server knows these questions, and the answers are not everybody's to have. */
function unlessRefused(error: unknown): Record<string, never> {
  if (error instanceof S3Error && !/^(?:TimeoutError|AbortError|E[A-Z]+)$/.test(error.code)) return {};
  throw error;
}
