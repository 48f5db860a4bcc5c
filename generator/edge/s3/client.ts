import { S3Client } from '@aws-sdk/client-s3';
import { asClientOptions, type Identity } from '../identity.ts';
import { S3Error } from './errors.ts';

/** Address of a bucket, and the credentials for it. */
export interface S3Place {
  readonly bucket: string;
  /** Null for Amazon S3. */
  readonly endpoint: string | null;
  /** Whether URLs have the bucket's name in the path instead of the host. */
  readonly forcePathStyle: boolean;
  /** Null if the SDK must find it. */
  readonly region: string | null;
  readonly identity?: Identity;
}

/** Timeouts, in milliseconds. */
export interface S3Patience {
  readonly connection: number;
  /** From a request to the start of its response. */
  readonly request: number;
  /** All attempts of an operation together, including reading response bodies. */
  readonly whole: number;
}

const PATIENCE: S3Patience = { connection: 5_000, request: 30_000, whole: 90_000 };

const ATTEMPTS = 4;

/** More than are ever in use: waiting for a socket would count against a request's timeout. */
const SOCKETS = 512;

/** A bucket with its client. */
export interface Bucket {
  readonly client: S3Client;
  readonly name: string;
  /** Runs an operation with a timeout. Rejects with an `S3Error` whose message names the operation (`doing`). */
  attempt<T>(doing: string, work: (within: { abortSignal: AbortSignal }) => Promise<T>): Promise<T>;
}

/** Other S3 servers need no region, but a signature must contain one. */
const ANY_REGION = 'us-east-1';

/** Creates a bucket's client. Sends no request yet. Transient failures are retried with backoff (SDK mode `standard`). */
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
    // Other S3 servers may reject the checksums that the SDK adds by default.
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
