import { S3Client } from '@aws-sdk/client-s3';
import { asClientOptions, type Identity } from '../identity.ts';
import { S3Error } from './errors.ts';

/** Where a bucket is, and who asks for it. */
export interface S3Place {
  readonly bucket: string;
  /** Null for Amazon's own. */
  readonly endpoint: string | null;
  /** Whether the bucket is named in the path, and not in the host. */
  readonly forcePathStyle: boolean;
  /** Null where the SDK is to find it. */
  readonly region: string | null;
  readonly identity?: Identity;
}

/** What is waited for, in milliseconds. */
export interface S3Patience {
  readonly connection: number;
  /** A request, until its answer begins. */
  readonly request: number;
  /** All attempts at a request together, answers read to their ends. */
  readonly whole: number;
}

const PATIENCE: S3Patience = { connection: 5_000, request: 30_000, whole: 90_000 };

const ATTEMPTS = 4;

/** More than are ever under way: a request that waited for a socket would spend its time on that. */
const SOCKETS = 512;

/** A client and the bucket that it is for. */
export interface Bucket {
  readonly client: S3Client;
  readonly name: string;
  /** Does something with a client's requests, in time. Rejects with an `S3Error` that says what was being done. */
  attempt<T>(doing: string, work: (within: { abortSignal: AbortSignal }) => Promise<T>): Promise<T>;
}

/** Servers other than Amazon's need no region, but signatures name one. */
const ANY_REGION = 'us-east-1';

/** Opens a bucket. Nothing is asked of it yet. What fails for now is tried again, each time later (the SDK's `standard`). */
export function openBucket(place: S3Place, patience: S3Patience = PATIENCE): Bucket {
  const { bucket, endpoint, forcePathStyle } = place;
  const region = place.region ?? (endpoint === null ? null : ANY_REGION);
  const sockets = { keepAlive: true, maxSockets: SOCKETS };
  const client = new S3Client({
    forcePathStyle,
    maxAttempts: ATTEMPTS,
    retryMode: 'standard',
    ...asClientOptions(place.identity),
    ...(region !== null && { region }),
    // Others than Amazon's do not know the checksums that the SDK would add to everything.
    ...(endpoint !== null && {
      endpoint,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
    requestHandler: {
      httpAgent: sockets,
      httpsAgent: sockets,
      connectionTimeout: patience.connection,
      requestTimeout: patience.request,
      throwOnRequestTimeout: true,
    },
  });
  return {
    client,
    name: bucket,
    async attempt(doing, work) {
      try {
        return await work({ abortSignal: AbortSignal.timeout(patience.whole) });
      } catch (error) {
        throw new S3Error(`bucket ${bucket}: ${doing}`, error);
      }
    },
  };
}
